import { describe, expect, it } from 'vitest';

import { openServices } from '../../../test/support/service/service-fixture.ts';
import { loadParsedMail, readContents } from './read-mail.ts';

async function openWithMail(raw: string) {
  const services = await openServices();
  const session = await services.lend('fox');
  await services.deliver(raw, session);
  return { services, session };
}

describe('loadParsedMail', () => {
  const markup =
    'Subject: One\r\nContent-Type: text/html\r\n\r\n<a href="https://a.example/" onclick="x()">A</a>';

  it('gives the markup as it came, what it holds, and leaves the message unread', async () => {
    const { services, session } = await openWithMail(markup);
    const { stored, parsed, meta } = await loadParsedMail(services.deps, session, 1);
    expect(stored).toMatchObject({ id: 1, isRead: false });
    expect(parsed.html).toContain('onclick="x()"');
    expect(meta.source.helo).toBe('client.example');
    const { html } = await readContents(services.deps, session, parsed);
    expect(html.links).toEqual([{ href: 'https://a.example/', text: 'A' }]);
    expect((await services.store.mail.findMessage(session.key, 1))?.isRead).toBe(false);
  });

  it('does not find what the session does not have', async () => {
    const { services, session } = await openWithMail(markup);
    await expect(loadParsedMail(services.deps, session, 2)).rejects.toMatchObject({
      code: 'message_not_found',
      parameter: 'id',
    });
  });
});
