// Mail as files: .eml in, mbox out.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';

import { expect, it } from 'vitest';

import { ask, type Harness, type HttpAnswer, startHttp } from './http-harness.ts';

const mail =
  'From: Ann <ann@shop.example>\nTo: bob@x.example\nSubject: Welcome\n\nYour code is 482913.\nFrom us\n';

function importFile(
  harness: Harness,
  token: string,
  body: string | Buffer,
  type = 'message/rfc822',
): Promise<HttpAnswer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': type };
  return ask(harness, '/import', { method: 'POST', headers, body });
}

it('stores a file like mail that arrived, with lines ended by CR LF', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const imported = await importFile(harness, token, mail);
  expect([imported.status, imported.json]).toEqual([200, { status: 'success', id: 1 }]);
  const { json: list } = await ask(harness, `/check-mail?token=${token}`);
  expect(list.messages).toMatchObject([
    {
      id: 1,
      subject: 'Welcome',
      sender_email: 'ann@shop.example',
      code: '482913',
      recipients: [session.address],
    },
  ]);
  const raw = await ask(harness, `/raw-mail?id=1&token=${token}`);
  expect(raw.text).toMatch(/^Return-Path: <ann@shop\.example>\r\nReceived: from import /);
  expect(raw.text.endsWith(mail.replaceAll('\n', '\r\n'))).toBe(true);
  const log = await ask(harness, `/events?after=0&token=${token}`);
  expect(log.status).toBe(200);
});

it('takes a file of a form, and bytes that are no UTF-8', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const file = Buffer.concat([
    Buffer.from('Subject: x\r\n\r\n'),
    Buffer.from([0xff, 0x00, 0x80]),
    Buffer.from('\r\n'),
  ]);
  const form = Buffer.concat([
    Buffer.from('--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nhi\r\n'),
    Buffer.from('--b\r\nContent-Disposition: form-data; name="file"; filename="a.eml"\r\n\r\n'),
    file,
    Buffer.from('\r\n--b--\r\n'),
  ]);
  expect((await importFile(harness, token, form, 'multipart/form-data; boundary=b')).status).toBe(200);
  const { bytes } = await ask(harness, `/raw-mail?id=1&token=${token}`);
  expect(bytes.subarray(-file.length)).toEqual(file);
});

it('shows a message in a capture session by the recipients of its header', async () => {
  const harness = await startHttp();
  const { token } = await harness.services.createCaptureSession({});
  expect((await importFile(harness, token, mail)).status).toBe(200);
  const { json } = await ask(harness, `/check-mail?token=${token}`);
  expect(json.messages[0].recipients).toEqual(['bob@x.example']);
});

it.each([
  ['a file that is no message', '\u0089PNG\r\n\u001a\n', 'message/rfc822', [400, 'malformed_body']],
  ['an empty file', '', 'message/rfc822', [400, 'malformed_body']],
  [
    'a form without a file',
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--b--\r\n',
    'multipart/form-data; boundary=b',
    [400, 'malformed_body'],
  ],
  [
    'a form that is cut off',
    '--b\r\nContent-Disposition: form-data; name="a"',
    'multipart/form-data; boundary=b',
    [400, 'malformed_body'],
  ],
  ['another media type', mail, 'application/x-www-form-urlencoded', [415, 'unsupported_media_type']],
])('refuses %s', async (_name, body, type, refusal) => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const answer = await importFile(harness, token, body, type);
  expect([answer.status, answer.json.code]).toEqual(refusal);
  const { json } = await ask(harness, `/check-mail?token=${token}`);
  expect(json.messages).toEqual([]);
});

it('checks the token before it reads the body', async () => {
  const harness = await startHttp();
  const socket = connect(harness.port, '127.0.0.1');
  socket.write(
    'POST /import HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: message/rfc822\r\nContent-Length: 30000000\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 401 /);
  socket.destroy();
});

it('refuses a message over the limit, and one that a full session has no room for', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const large = await importFile(harness, token, `Subject: x\r\n\r\n${'x'.repeat(37 * 1024 * 1024)}`);
  expect([large.status, large.json.code]).toEqual([413, 'body_too_large']);
  for (let count = 0; count < 100; count++) await importFile(harness, token, mail);
  const full = await importFile(harness, token, mail);
  expect([full.status, full.json.code]).toEqual([409, 'session_full']);
});

it('downloads all messages as one mbox file, oldest first, and marks none read', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver('Subject: one\r\n\r\nFrom a\r\n>From b\r\nlast', [session]);
  await harness.deliver(`Subject: two\r\n\r\n${'line of text\r\n'.repeat(60_000)}`, [session]);
  const { status, headers, text } = await ask(harness, '/export', {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    'content-type': 'application/mbox',
    'content-disposition': 'attachment; filename="mail.mbox"',
    'cache-control': 'no-store',
  });
  const parts = text.split(/^From sender@example\.org \w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}\n/m);
  expect(parts).toHaveLength(3);
  expect(parts[1]).toMatch(/^Return-Path: [^]*\nSubject: one\n\n>From a\n>>From b\nlast\n\n$/);
  expect(parts[2]?.endsWith(`Subject: two\n\n${'line of text\n'.repeat(60_000)}\n`)).toBe(true);
  const { json } = await ask(harness, `/check-mail?token=${token}`);
  expect(json.messages.map(({ is_read }: { is_read: boolean }) => is_read)).toEqual([false, false]);
});

it('downloads an empty file from an empty session, and nothing for HEAD', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  expect((await ask(harness, `/export?token=${token}`)).text).toBe('');
  await harness.deliver('Subject: one\r\n\r\n', [session]);
  const head = await ask(harness, `/export?token=${token}`, { method: 'HEAD' });
  expect([head.status, head.text]).toEqual([200, '']);
});

it('is cut off when the session ends meanwhile, and stops reading for a client that has gone', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  for (let count = 0; count < 4; count++) {
    await harness.deliver(`Subject: ${count}\r\n\r\n${'x'.repeat(10_000_000)}`, [session]);
  }
  const open = async (): Promise<IncomingMessage> => {
    const asked = get({ port: harness.port, path: `/export?token=${token}`, agent: false });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  };
  (await open()).destroy();
  const slow = await open();
  await ask(harness, '/end-session', { method: 'POST', headers: { authorization: `Bearer ${token}` } });
  slow.resume();
  await expect(once(slow, 'end')).rejects.toThrow();
  expect(harness.logged.filter(({ level }) => level === 'error')).toEqual([]);
});
