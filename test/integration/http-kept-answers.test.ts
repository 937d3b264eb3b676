// read-mail repeats a cached response: whatever happens to the message or its session, it must equal a fresh one.
import { describe, expect, it } from 'vitest';

import { type Authentication, unfinishedAuthentication } from '#mail-receiver/authentication';
import { ask, type Harness, postJson, startHttp, type Untyped } from './http-harness.ts';

const none = { result: 'none', domain: null, reason: null } as const;
const known: Authentication = {
  spf: { result: 'pass', domain: 'example.org', reason: null },
  dkim: { ...none, signatures: [] },
  dmarc: { ...none, policy: null, isTesting: false },
  arc: none,
};

const mail =
  'From: Ann <a@b.example>\r\nSubject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n' +
  '<p>Hello <img src="cid:i"></p>\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <i>\r\n\r\nGIF89a\r\n--b--\r\n';

async function startWithMail(options: Parameters<typeof startHttp>[0] = {}) {
  const harness = await startHttp(options);
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const basePath = options.settings?.basePath ?? '';
  const read = (method = 'GET') => ask(harness, `${basePath}/read-mail?id=1&token=${token}`, { method });
  const kept = () => harness.services.answers.get(session.key, '1');
  return { harness, token, session, read, kept };
}

/** Returns the message without its tickets. */
function withoutTickets(text: string): string {
  return text.replace(/ticket=[\w-]+/g, 'ticket');
}

async function isRead(
  { store }: Harness,
  session: Parameters<Harness['deliver']>[1][number],
): Promise<boolean> {
  return (await store.mail.findMessage(session.key, 1))?.isRead ?? false;
}

describe('a peek', () => {
  it('leaves the message unread and says so, whatever was returned before', async () => {
    const { harness, token, session } = await startWithMail();
    const peek = async () => (await ask(harness, `/peek-mail?id=1&token=${token}`)).json.message;
    expect(await peek()).toMatchObject({ id: 1, subject: 'x', is_read: false });
    expect(await isRead(harness, session)).toBe(false);
    expect((await ask(harness, `/read-mail?id=1&token=${token}`)).json.message.is_read).toBe(true);
    expect((await peek()).is_read).toBe(true);
    await postJson(harness, '/mark-mail', { token, id: 1, read: 0 });
    expect((await peek()).is_read).toBe(false);
    expect(await isRead(harness, session)).toBe(false);
    expect((await ask(harness, `/peek-mail?id=2&token=${token}`)).json.code).toBe('message_not_found');
  });
});

describe('a response', () => {
  it('is repeated byte for byte, and made anew when its tickets are half a minute old', async () => {
    const { harness, read, kept } = await startWithMail();
    const first = await read();
    expect(first.json.message).toMatchObject({ id: 1, is_read: true });
    const { body } = kept() ?? {};
    expect(body?.equals(first.bytes)).toBe(true);
    expect((await read()).text).toBe(first.text);
    expect(kept()?.body).toBe(body);
    harness.advance(30_001);
    const later = await read();
    expect(later.text).not.toBe(first.text);
    expect(withoutTickets(later.text)).toBe(withoutTickets(first.text));
  });

  it('has links that are valid for more than four minutes', async () => {
    const { harness, read } = await startWithMail();
    await read();
    harness.advance(29_000);
    const { message } = (await read()).json;
    harness.advance(4 * 60_000);
    for (const url of [message.raw_url, message.html_url, message.attachments[0].url]) {
      expect((await ask(harness, url)).status).toBe(200);
    }
    harness.advance(60_000);
    expect((await ask(harness, message.raw_url)).status).toBe(410);
  });

  it('is the same when other messages come and go and the session is extended', async () => {
    const { harness, token, session, read, kept } = await startWithMail();
    const first = await read();
    const { body } = kept() ?? {};
    await harness.deliver(mail, [session]);
    expect((await read()).text).toBe(first.text);
    await postJson(harness, '/delete-mail', { token, id: 2 });
    expect((await read()).text).toBe(first.text);
    await postJson(harness, '/extend-session', { token, lifetime: 7200 });
    expect((await read()).text).toBe(first.text);
    expect(kept()?.body).toBe(body);
  });

  it('is gone with its message', async () => {
    const { harness, token, read, kept } = await startWithMail();
    await read();
    await postJson(harness, '/delete-mail', { token, id: 1 });
    expect(kept()).toBeUndefined();
    const answer = await read();
    expect([answer.status, answer.json.code]).toEqual([404, 'message_not_found']);
  });

  it('is gone with a message deleted by another caller', async () => {
    const { harness, session, read } = await startWithMail();
    await read();
    await harness.store.mail.deleteMessage(session.key, 1);
    expect((await read()).status).toBe(404);
  });

  it('is gone with its session, ended or expired', async () => {
    const { harness, token, read, kept } = await startWithMail();
    await read();
    await postJson(harness, '/end-session', { token });
    expect(kept()).toBeUndefined();
    expect((await read()).status).toBe(410);
    const other = await startWithMail();
    await other.read();
    other.harness.advance(3_600_000);
    expect((await other.read()).status).toBe(410);
    expect(other.kept()).toBeUndefined();
  });

  it('is not cached before the checks of its origin are done, and then includes them', async () => {
    let found: Authentication = unfinishedAuthentication('not known yet');
    const { read, kept } = await startWithMail({
      wrapDeps: (deps) => ({
        ...deps,
        authentications: { ...deps.authentications, find: () => Promise.resolve(found) },
      }),
    });
    const spf = async (): Promise<Untyped> => (await read()).json.message.authentication.spf;
    expect([await spf(), await spf()]).toEqual(['temperror', 'temperror']);
    expect(kept()).toBeUndefined();
    found = known;
    expect([await spf(), await spf()]).toEqual(['pass', 'pass']);
    expect(kept()).toBeDefined();
  });

  it('has links under the base path', async () => {
    const { read } = await startWithMail({ settings: { basePath: '/mail' } });
    for (const { json } of [await read(), await read()]) {
      expect(json.message.raw_url).toMatch(/^\/mail\/raw-mail\?/);
    }
  });

  it('to one of several concurrent readers marks the message read', async () => {
    const { harness, session, read } = await startWithMail();
    const answers = await Promise.all([read(), read(), read()]);
    for (const { json } of answers) expect(json.message.is_read).toBe(true);
    expect(await isRead(harness, session)).toBe(true);
  });
});

describe('HEAD', () => {
  it('leaves the message unread, before and after it was read', async () => {
    const { harness, session, read, kept } = await startWithMail();
    const head = await read('HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
    expect(await isRead(harness, session)).toBe(false);
    expect(kept()).toBeUndefined();
    const got = await read();
    expect(got.headers['content-length']).toBe(head.headers['content-length']);
    expect(await isRead(harness, session)).toBe(true);
    expect((await read('HEAD')).headers['content-length']).toBe(head.headers['content-length']);
  });

  it('leaves a message unread in wait-mail too', async () => {
    const { harness, token, session } = await startWithMail();
    expect((await ask(harness, `/wait-mail?token=${token}`, { method: 'HEAD' })).status).toBe(200);
    expect(await isRead(harness, session)).toBe(false);
  });
});
