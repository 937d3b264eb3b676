// Mail whose text begins late: the list looks further, and shows the same as the reader.
import { expect, it } from 'vitest';

import { openServices } from '../../../test/support/service/service-fixture.ts';
import { checkMail } from './check-mail.ts';
import { readMail } from './read-mail.ts';

const shown = { preview: 'Your verification code is 482913', code: '482913', hasAttachments: false };

function lateMail(styleBytes: number): string {
  const style = '.a { color: red }\r\n'.repeat(Math.ceil(styleBytes / 19));
  return (
    'From: Shop <no-reply@shop.example>\r\nSubject: Your verification code\r\nContent-Type: text/html\r\n\r\n' +
    `<html><head><style>${style}</style></head><body><p>${shown.preview}</p></body></html>`
  );
}

it.each([47_000, 70_000, 200_000, 400_000])(
  'is listed with its code after %d bytes of CSS',
  async (styleBytes) => {
    const services = await openServices();
    const session = await services.lend();
    await services.deliver(lateMail(styleBytes), session);
    expect(await checkMail(services.deps, await services.refresh(session))).toMatchObject([shown]);
    const { listed, parsed } = await readMail(services.deps, session, { id: 1, marksRead: true });
    expect(listed).toMatchObject(shown);
    expect(parsed.codes[0]?.value).toBe(shown.code);
  },
);
