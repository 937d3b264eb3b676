// Shares: what they open, that they open nothing else and change nothing, and that they end: on expiry, when revoked,
// and with their session.
import { expect, it, onTestFinished, vi } from 'vitest';

import { sharesMax } from '../../src/domain/share.ts';
import { parseShareToken } from '#sealing/share-token';
import { openStream } from '../support/clients/event-source.ts';
import { eventually } from '../support/eventually.ts';
import { allOperations, ask, type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

const mail = [
  'From: a@b.example',
  'Subject: Your code',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  '',
  'Your code is 482913.',
  '--x',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=a.pdf',
  '',
  'PDF',
  '--x--',
  '',
].join('\r\n');

interface ShareAnswer {
  readonly share: string;
  readonly share_id: string;
  readonly message_id: number | null;
  readonly expires_at: string;
  readonly expires_in: number;
}

async function createShare(harness: Harness, token: string, given: object = {}): Promise<ShareAnswer> {
  const answer = await postJson(harness, '/create-share', { token, ...given });
  expect([answer.status, answer.json]).toEqual([200, expect.objectContaining({ status: 'success' })]);
  return answer.json;
}

function get(harness: Harness, path: string, token: string): Promise<HttpAnswer> {
  return ask(harness, path, { headers: { authorization: `Bearer ${token}` } });
}

async function codeOf(answer: Promise<HttpAnswer>): Promise<[number, unknown]> {
  const { status, json } = await answer;
  return [status, json.code];
}

it('reads the session, and marks nothing read', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend('quiet-fox');
  await harness.deliver(mail, [session]);
  const { share, message_id: messageId, expires_at: expiresAt } = await createShare(harness, token);
  const { json: own } = await get(harness, '/session', token);
  expect([messageId, expiresAt]).toEqual([null, own['expires_at']]);
  const list = await get(harness, '/check-mail', share);
  expect(list.json).toMatchObject({ email: session.address, messages: [{ id: 1, is_read: false }] });
  const read = await get(harness, '/read-mail?id=1', share);
  expect(read.json).toMatchObject({ message: { subject: 'Your code', codes: [{ value: '482913' }] } });
  expect((await get(harness, '/raw-mail?id=1', share)).text).toContain('482913');
  expect((await get(harness, '/attachment?id=1&part=2', share)).text).toBe('PDF');
  expect((await get(harness, '/html-mail?id=1', share)).status).toBe(200);
  expect((await get(harness, '/check-mail', token)).json).toMatchObject({ messages: [{ is_read: false }] });
  // By GET as a parameter too, like the token.
  expect((await ask(harness, `/check-mail?token=${share}`)).status).toBe(200);
});

it('shows the session without its delivery log', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const { share } = await createShare(harness, token);
  const [own, shared] = [await get(harness, '/session', token), await get(harness, '/session', share)];
  expect(shared.json).toMatchObject({ email: session.address, message_count: 1, deliveries: [] });
  expect(own.json['deliveries']).not.toEqual([]);
});

it('is refused by every other operation', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const { share, share_id: shareId } = await createShare(harness, token);
  const readable = [
    ...['/check-mail', '/read-mail', '/raw-mail', '/attachment', '/html-mail'],
    ...['/inline-image', '/remote-image', '/session', '/events', '/report', '/html-source'],
  ];
  const others = allOperations.filter(({ access, path }) => access === 'session' && !readable.includes(path));
  expect(others.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['/delete-mail', '/end-session', '/create-share', '/shares', '/mark-mail']),
  );
  for (const { method, path } of others) {
    const answer =
      method === 'GET'
        ? get(harness, `${path}?id=1`, share)
        : // The body of an import is the message.
          postJson(harness, path === '/import' ? `/import?token=${share}` : path, {
            token: share,
            id: 1,
            share_id: shareId,
          });
    expect([path, ...(await codeOf(answer))]).toEqual([path, 403, 'read_only']);
  }
  expect((await get(harness, '/check-mail', token)).json).toMatchObject({ messages: [{ id: 1 }] });
});

it('opens only one message when it is for one', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  await harness.deliver(mail.replace('482913', '771204'), [session]);
  const { share } = await createShare(harness, token, { id: 2 });
  for (const path of ['/check-mail', '/check-mail?after=1&limit=1', '/check-mail?wait=60&after=1']) {
    const { messages } = (await get(harness, path, share)).json as { messages: { id: number }[] };
    expect(messages.map(({ id }) => id)).toEqual([2]);
  }
  expect((await get(harness, '/check-mail?after=2&wait=1', share)).json).toMatchObject({ messages: [] });
  expect((await get(harness, '/read-mail?id=2', share)).status).toBe(200);
  for (const path of ['/read-mail?id=1', '/raw-mail?id=1', '/attachment?id=1&part=2', '/html-mail?id=1']) {
    expect(await codeOf(get(harness, path, share))).toEqual([404, 'message_not_found']);
  }
  expect(await codeOf(postJson(harness, '/create-share', { token, id: 9 }))).toEqual([
    404,
    'message_not_found',
  ]);
});

it('ends when it is revoked, when it expires, and with the session', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const [revoked, short, whole] = [
    await createShare(harness, token),
    await createShare(harness, token, { lifetime: 60 }),
    await createShare(harness, token, { lifetime: 86_400 }),
  ];
  const { json: own } = await get(harness, '/session', token);
  expect([short.expires_in, whole.expires_at]).toEqual([60, own['expires_at']]);
  expect((await get(harness, '/shares', token)).json).toMatchObject({
    shares: [revoked, short, whole].map(({ share_id: id }) => ({ share_id: id })),
  });
  expect((await get(harness, '/shares', token)).text).not.toContain('mfs_');
  const revoke = { token, share_id: revoked.share_id };
  expect((await postJson(harness, '/revoke-share', revoke)).status).toBe(200);
  expect(await codeOf(postJson(harness, '/revoke-share', revoke))).toEqual([404, 'share_not_found']);
  expect(await codeOf(get(harness, '/check-mail', revoked.share))).toEqual([401, 'unknown_token']);
  harness.advance(61_000);
  expect(await codeOf(get(harness, '/check-mail', short.share))).toEqual([410, 'session_expired']);
  expect((await get(harness, '/shares', token)).json).toMatchObject({
    shares: [{ share_id: whole.share_id }],
  });
  expect((await get(harness, '/check-mail', whole.share)).status).toBe(200);
  await postJson(harness, '/end-session', { token });
  expect(await codeOf(get(harness, '/check-mail', whole.share))).toEqual([410, 'session_expired']);
});

it('does not outlive its revocation while it waits', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const { share, share_id: shareId } = await createShare(harness, token);
  const waiting = get(harness, '/check-mail?wait=30', share);
  await expect.poll(() => harness.countLive()).toBe(1);
  await postJson(harness, '/revoke-share', { token, share_id: shareId });
  await harness.deliver(mail, [session]);
  expect(await codeOf(waiting)).toEqual([401, 'unknown_token']);
});

it('ends the links that were made through it, also links made by those, and no others', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail.replace('Content-Type: application/pdf', 'Content-ID: <a>\r\n$&'), [session]);
  const { share, share_id: shareId } = await createShare(harness, token);
  const other = await createShare(harness, token);
  // The holder's own answer is kept for a while, and its links are not the share's.
  const own = await linksOf(get(harness, '/read-mail?id=1', token));
  const [shared, kept] = [
    await linksOf(get(harness, '/read-mail?id=1', share)),
    await linksOf(get(harness, '/read-mail?id=1', other.share)),
  ];
  expect(shared.length).toBeGreaterThan(1);
  for (const link of [...own, ...shared, ...kept]) expect((await ask(harness, link)).status).toBe(200);
  const framed = [];
  for (const link of shared) framed.push(...ticketedLinks((await ask(harness, link)).text));
  await postJson(harness, '/revoke-share', { token, share_id: shareId });
  for (const link of [...shared, ...framed]) {
    expect(await codeOf(ask(harness, link))).toEqual([401, 'unknown_token']);
  }
  for (const link of [...own, ...kept]) expect((await ask(harness, link)).status).toBe(200);
});

function ticketedLinks(text: string): string[] {
  return Array.from(text.matchAll(/\/[a-z-]+\?[^"'\s]*ticket=[\w-]+/g), ([link]) =>
    link.replaceAll('&amp;', '&'),
  );
}

async function linksOf(answer: Promise<HttpAnswer>): Promise<string[]> {
  return ticketedLinks((await answer).text);
}

it('streams what happens in the session until it is revoked', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const { share, share_id: shareId } = await createShare(harness, token);
  const stream = await openStream(harness, { token: share });
  await harness.deliver(mail, [session]);
  // As it is when it is sent, so the stream is read in between.
  await stream.take(1);
  await get(harness, '/read-mail?id=1', token);
  await postJson(harness, '/delete-mail', { token, id: 1 });
  const seen = (await stream.take(3)).map(({ event, data }) => [event, data['id']]);
  expect(seen).toEqual([
    ['message.received', 1],
    ['message.read', 1],
    ['message.deleted', 1],
  ]);
  await postJson(harness, '/revoke-share', { token, share_id: shareId });
  await harness.deliver(mail, [session]);
  await stream.ended();
  expect(stream.events).toHaveLength(3);
  expect(harness.countLive()).toBe(0);
});

it('ends a silent stream with a heartbeat once it has expired', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const { share } = await createShare(harness, token, { lifetime: 60 });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const stream = await openStream(harness, { token: share });
  harness.advance(61_000);
  vi.advanceTimersByTime(30_000);
  await stream.ended();
  expect(stream.events).toEqual([]);
});

it('leaves streams to the holder of the session', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const { share } = await createShare(harness, token);
  await openStream(harness, { token: share });
  await openStream(harness, { token: share });
  expect(await codeOf(get(harness, '/events', share))).toEqual([429, 'too_many_streams']);
  for (let own = 0; own < 3; own++) await openStream(harness, { token });
  expect(harness.countLive()).toBe(5);
});

it('for one message has no stream, which would tell of others', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const { share } = await createShare(harness, token, { id: 1 });
  expect(await codeOf(get(harness, '/events?after=0', share))).toEqual([403, 'read_only']);
});

it('is limited in number, also when created at once', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const answers = await Promise.all(
    Array.from({ length: sharesMax + 3 }, () => postJson(harness, '/create-share', { token })),
  );
  for (let left = answers.filter(({ status }) => status === 503).length; left > 0; left--) {
    answers.push(await postJson(harness, '/create-share', { token }));
  }
  const made = answers.filter(({ status }) => status === 200);
  expect(made).toHaveLength(sharesMax);
  const refused = answers.filter(({ status }) => status === 409);
  expect(refused.map(({ json }) => json.code)).toEqual(Array(3).fill('too_many_shares'));
});

it('is unknown when any of it is altered, and when it names another session', async () => {
  const harness = await startHttp();
  const [owner, other] = [await harness.lend(), await harness.lend()];
  const { share } = await createShare(harness, owner.token);
  const secret = Buffer.from(share.slice(4), 'base64url').subarray(16);
  const foreign = `mfs_${Buffer.concat([other.session.key, secret]).toString('base64url')}`;
  const altered = [
    foreign,
    `${share}A`,
    share.slice(0, -1),
    `${share.slice(0, -1)}${share.endsWith('A') ? 'g' : 'A'}`,
    share.replace('mfs_', 'mf_'),
    share.toUpperCase(),
    'mfs_',
  ];
  for (const token of altered) {
    expect(await codeOf(get(harness, '/check-mail', token))).toEqual([401, 'unknown_token']);
  }
  expect(parseShareToken(share)?.sessionKey).toEqual(owner.session.key);
});

it('for one message reveals nothing of the others in /session', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  for (const code of ['482913', '771204', '']) await harness.deliver(mail.replace('482913', code), [session]);
  const { share } = await createShare(harness, token, { id: 2 });
  const { json: whole } = await get(harness, '/session', (await createShare(harness, token)).share);
  expect(whole).toMatchObject({ message_count: 3 });
  const { messages } = (await get(harness, '/check-mail', share)).json as { messages: { size: number }[] };
  const { json: one } = await get(harness, '/session', share);
  expect(one).toMatchObject({ message_count: 1, message_bytes: messages[0]?.size });
  await postJson(harness, '/delete-mail', { token, id: 2 });
  expect((await get(harness, '/session', share)).json).toMatchObject({ message_count: 0, message_bytes: 0 });
});

it('leaves waits to the holder of the session', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const { share } = await createShare(harness, token);
  const half = Array.from({ length: 5 }, () => get(harness, '/check-mail?wait=60', share));
  await eventually(() => Promise.resolve(harness.countLive() === 5 || undefined), 'shares wait');
  expect(await codeOf(get(harness, '/check-mail?wait=60', share))).toEqual([429, 'too_many_streams']);
  const own = Array.from({ length: 10 }, () => get(harness, '/wait-mail', token));
  await eventually(() => Promise.resolve(harness.countLive() === 15 || undefined), 'the holder waits');
  await harness.deliver(mail, [session]);
  for (const { status } of await Promise.all([...half, ...own])) expect(status).toBe(200);
});

it('issues links that end with it', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const { share } = await createShare(harness, token, { lifetime: 60 });
  // The owner's response about the message is cached, with the owner's links.
  expect((await get(harness, '/read-mail?id=1', token)).status).toBe(200);
  const { message } = (await get(harness, '/read-mail?id=1', share)).json as { message: { raw_url: string } };
  expect((await ask(harness, message.raw_url)).status).toBe(200);
  harness.advance(61_000);
  expect((await ask(harness, message.raw_url)).status).toBe(410);
});
