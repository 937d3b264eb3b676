import { expect, it } from 'vitest';
import { ask, postJson, startHttp } from './http-harness.ts';
it('smoke', async () => {
  const h = await startHttp();
  const c = await postJson(h, '/create-session', { prefix: 'abc' });
  console.log(c.status, c.text, c.headers);
  const l = await h.lend();
  await h.deliver(
    'From: A <a@b.c>\r\nSubject: hi\r\nDate: Tue, 1 Jul 2025 10:00:00 +0000\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nYour code is 123456\r\n--x\r\nContent-Type: image/png; name="ä\u20ac.png"\r\nContent-Disposition: attachment\r\n\r\nPNG\r\n--x--\r\n',
    [l.session],
  );
  for (const p of [
    '/domains',
    '/',
    '/session?token=' + l.token,
    '/check-mail?token=' + l.token,
    '/read-mail?id=1&token=' + l.token,
    '/raw-mail?id=1&token=' + l.token,
    '/attachment?part=2&id=1&token=' + l.token,
    '/nope',
    '/healthz',
    '/readyz',
    '/%zz',
    '/delete-mail',
    '/check-mail?token=1',
    '/check-mail',
  ]) {
    const a = await ask(h, p);
    console.log(p.slice(0, 20), a.status, a.text, JSON.stringify(a.headers));
  }
  expect(h.logged.filter((x) => x.level === 'error')).toEqual([]);
});
