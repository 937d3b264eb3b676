// The operations as specified, over a real listener.
import { expect, it } from 'vitest';

import { ask, type Harness, postJson, startHttp } from './http-harness.ts';

const timestamp = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

const mail = [
  'From: =?UTF-8?Q?J=C3=BCrgen?= <j@example.org>',
  'To: Somebody <somebody@example.org>',
  'Cc: b@example.org',
  'Reply-To: r@example.org',
  'Message-ID: <1@example.org>',
  'Date: Tue, 1 Jul 2025 12:00:00 +0200',
  'Subject: Your code',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  'Content-Type: text/plain; charset=utf-8',
  '',
  'Your code is 123456. https://example.org/verify?x=1',
  '--x',
  'Content-Type: text/html; name="page.html"',
  'Content-Disposition: attachment; filename="page.html"',
  '',
  '<script>alert(1)</script>',
  '--x--',
  '',
].join('\r\n');

function check(harness: Harness, token: string, more = '') {
  return ask(harness, `/check-mail?token=${token}${more}`);
}

it('lists active domains by id', async () => {
  const harness = await startHttp();
  await harness.store.directory.addDomain('second.test', 0, 0);
  await harness.store.directory.disableDomain('mayfly.test');
  const answer = await ask(harness, '/domains');
  expect(answer.status).toBe(200);
  expect(answer.json).toEqual({
    status: 'success',
    domains: [{ id: 2, domain: 'second.test' }],
    gmail_accounts: [],
  });
});

it('creates a session with and without a prefix', async () => {
  const harness = await startHttp();
  const chosen = await postJson(harness, '/create-session', {
    prefix: 'Quiet-Fox',
    domain_id: 1,
    lifetime: 120,
  });
  expect(chosen.status).toBe(200);
  expect(chosen.json).toEqual({
    status: 'success',
    email: 'quiet-fox@mayfly.test',
    token: expect.stringMatching(/^mf_[A-Za-z0-9_-]{43}$/),
    expires_at: expect.stringMatching(timestamp),
    expires_in: 120,
  });
  const random = await ask(harness, '/create-session', { method: 'POST' });
  expect(random.status).toBe(200);
  expect(random.json.email).toMatch(/^[a-z]+\.[a-z]+[2-9]\d@mayfly\.test$/);
});

it.each([
  [{ prefix: 'a..b' }, 400, 'invalid_prefix', 'prefix'],
  [{ prefix: 'postmaster' }, 403, 'reserved_prefix', 'prefix'],
  [{ domain_id: 99 }, 404, 'unknown_domain', 'domain_id'],
  [{ prefix: 'taken' }, 409, 'address_taken', 'prefix'],
  [{ lifetime: 59 }, 400, 'invalid_parameter', 'lifetime'],
  [{ lifetime: 86_401 }, 400, 'invalid_parameter', 'lifetime'],
  [{ use_gmail: 1 }, 503, 'no_gmail_account_available', undefined],
  [{ use_gmail: 0, gmail_auto: 1 }, 400, 'conflicting_parameters', 'gmail_auto'],
  [{ webhook_url: 'http://127.0.0.1/' }, 400, 'webhooks_not_allowed', 'webhook_url'],
])('refuses create-session %j with %i %s', async (parameters, status, code, parameter) => {
  const harness = await startHttp();
  await harness.lend('taken');
  const answer = await postJson(harness, '/create-session', parameters);
  expect(answer.status).toBe(status);
  expect(answer.json).toMatchObject({
    status: 'error',
    code,
    ...(parameter === undefined ? {} : { parameter }),
  });
  expect(answer.headers['retry-after']).toEqual(status === 503 ? '60' : undefined);
});

it('lists messages newest first, pages forward without a gap, and shows which are read', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  for (let number = 1; number <= 4; number++) {
    await harness.deliver(`Subject: ${number}\r\n\r\nText\r\n`, [session]);
  }
  const ids = async (more: string): Promise<number[]> =>
    (await check(harness, token, more)).json.messages.map(({ id }: { id: number }) => id);
  expect(await ids('')).toEqual([4, 3, 2, 1]);
  expect(await ids('&limit=2')).toEqual([4, 3]);
  expect(await ids('&before=3&limit=1')).toEqual([2]);
  expect(await ids('&after=1&limit=2')).toEqual([3, 2]);
  expect(await ids('&after=4&wait=0')).toEqual([]);
  await ask(harness, `/read-mail?id=2&token=${token}`);
  const { messages } = (await check(harness, token)).json;
  expect(messages.map((one: { is_read: boolean }) => one.is_read)).toEqual([false, false, true, false]);
});

it('shows a summary with every field of the specification', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const { json, headers } = await check(harness, token);
  expect(json).toMatchObject({
    status: 'success',
    email: session.address,
    expires_at: expect.stringMatching(timestamp),
  });
  expect(json.messages[0]).toEqual({
    id: 1,
    sender_name: 'Jürgen',
    sender_email: 'j@example.org',
    subject: 'Your code',
    received_at: expect.stringMatching(timestamp),
    size: Buffer.byteLength(mail),
    raw_size: expect.any(Number),
    has_attachments: true,
    is_read: false,
    in_spam: false,
    recipients: [session.address],
    tags: [],
    preview: expect.stringContaining('Your code is 123456'),
    code: '123456',
  });
  expect(headers['cache-control']).toBe('private, no-cache');
});

it('returns 304 for the tag of an unchanged list, until a message, a reading or an extension', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  const other = await harness.lend();
  const conditional = (tag: string, bearer = token, more = '') =>
    ask(harness, `/check-mail${more}`, {
      headers: { authorization: `Bearer ${bearer}`, 'if-none-match': tag },
    });
  const tagNow = async () => String((await check(harness, token)).headers.etag);
  const changes = [
    () => harness.deliver(mail, [session]),
    () => ask(harness, `/read-mail?id=1&token=${token}`),
    () => postJson(harness, '/extend-session', { token, lifetime: 7200 }),
    () => postJson(harness, '/delete-mail', { token, id: 1 }),
  ];
  for (const change of changes) {
    const tag = await tagNow();
    harness.advance(2000);
    const unchanged = await conditional(`"x", ${tag}`);
    expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', tag]);
    expect((await conditional('*')).status).toBe(304);
    expect((await conditional(tag, token, '?limit=5')).status).toBe(200);
    expect((await conditional(tag, other.token)).status).toBe(200);
    await change();
    expect((await conditional(tag)).status).toBe(200);
  }
});

it('updates expires_in while the list itself comes from memory', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const first = (await check(harness, token)).json.expires_in;
  harness.advance(10_000);
  expect(first - (await check(harness, token)).json.expires_in).toBeGreaterThanOrEqual(10);
});

it('shows a message in full, with links that need no token and no HTML', async () => {
  const harness = await startHttp({ settings: { basePath: '/mail' } });
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session], [session.address.toUpperCase()]);
  const { status, json } = await ask(harness, `/mail/read-mail?id=1&token=${token}`);
  expect(status).toBe(200);
  expect(json.message).toMatchObject({
    id: 1,
    is_read: true,
    to: [{ name: 'Somebody', email: 'somebody@example.org' }],
    cc: [{ name: '', email: 'b@example.org' }],
    reply_to: [{ name: '', email: 'r@example.org' }],
    date: '2025-07-01 10:00:00',
    message_id: '<1@example.org>',
    text: expect.stringContaining('Your code is 123456.'),
    html: null,
    remote_content: 0,
    codes: [expect.objectContaining({ value: '123456', kind: 'otp' })],
    links: [expect.objectContaining({ url: 'https://example.org/verify?x=1' })],
    authentication: { spf: null, dkim: null, dmarc: null },
    envelope: {
      mail_from: 'sender@example.org',
      rcpt_to: [session.address.toUpperCase()],
      remote_ip: '192.0.2.7',
      tls: null,
      helo: 'client.example',
    },
    parse: 'ok',
    parse_reason: null,
  });
  expect(json.message.headers[6]).toEqual({ name: 'Subject', value: 'Your code' });
  const [attachment] = json.message.attachments;
  expect(attachment).toMatchObject({
    filename: 'page.html',
    content_type: 'text/html',
    disposition: 'attachment',
  });
  expect(attachment.url).toMatch(/^\/mail\/attachment\?id=1&part=2&ticket=[\w-]{110}$/);
  expect(JSON.stringify(json)).not.toContain(token);
  expect((await ask(harness, attachment.url)).text).toBe('<script>alert(1)</script>');
});

it('shows no other recipient of the envelope', async () => {
  const harness = await startHttp();
  const first = await harness.lend('first');
  const second = await harness.lend('second');
  await harness.deliver(mail, [first.session, second.session]);
  const { json } = await ask(harness, `/read-mail?id=1&token=${second.token}`);
  expect(json.message.envelope.rcpt_to).toEqual(['second@mayfly.test']);
  expect(JSON.stringify(json)).not.toContain('first@');
});

it('returns well-formed text and a null date for invalid input of a sender', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(
    'Subject: =?UTF-16BE?B?2AAAeA==?=\r\nDate: Fri, 31 Dec 99999 00:00:00 +0000\r\n\r\n\u0000\r\n',
    [session],
  );
  const { status, text, json } = await ask(harness, `/read-mail?id=1&token=${token}`);
  expect(status).toBe(200);
  expect(/\p{Surrogate}/u.test(JSON.stringify(JSON.parse(text)))).toBe(false);
  expect(text).not.toMatch(/\\ud[89a-f]/i);
  expect(json.message.date).toBeNull();
});

it('deletes a message once', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const gone = await postJson(harness, '/delete-mail', { token, id: 1 });
  expect([gone.status, gone.json]).toEqual([200, { status: 'success', id: 1 }]);
  expect((await check(harness, token)).json.messages).toEqual([]);
  for (const answer of [
    await postJson(harness, '/delete-mail', { token, id: 1 }),
    await ask(harness, `/read-mail?id=1&token=${token}`),
    await ask(harness, `/raw-mail?id=1&token=${token}`),
    await ask(harness, `/attachment?id=1&part=2&token=${token}`),
  ]) {
    expect([answer.status, answer.json.code]).toEqual([404, 'message_not_found']);
  }
});

it('shows, extends and ends a session', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  expect((await ask(harness, `/session?token=${token}`)).json).toMatchObject({
    email: session.address,
    created_at: expect.stringMatching(timestamp),
    extendable_until: expect.stringMatching(timestamp),
    message_count: 1,
    message_bytes: Buffer.byteLength(mail),
    deliveries: [{ outcome: 'accepted', size: Buffer.byteLength(mail), message_id: 1 }],
  });
  const extended = (await postJson(harness, '/extend-session', { token, lifetime: 7200 })).json;
  expect(extended.expires_in).toBeGreaterThanOrEqual(7199);
  expect((await postJson(harness, '/extend-session', { token, lifetime: 60 })).json.expires_at).toBe(
    extended.expires_at,
  );
  const ended = await postJson(harness, '/end-session', { token });
  expect(ended.json).toEqual({ status: 'success', email: session.address });
  const after = await postJson(harness, '/end-session', { token });
  expect([after.status, after.json.code]).toEqual([410, 'session_expired']);
});

it('returns gone from the instant a session expires', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  harness.advance(3_600_000);
  const answer = await check(harness, token);
  expect([answer.status, answer.json.code]).toEqual([410, 'session_expired']);
});

it('answers HEAD like GET without the body', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  for (const target of [
    '/domains',
    `/check-mail?token=${token}`,
    `/raw-mail?id=1&token=${token}`,
    '/docs',
    '/nope',
  ]) {
    const got = await ask(harness, target);
    const head = await ask(harness, target, { method: 'HEAD' });
    expect([head.status, head.text]).toEqual([got.status, '']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  }
});

it('gives every response an id and the fields that keep it out of caches, frames and referrers', async () => {
  const harness = await startHttp();
  const ids = new Set<unknown>();
  for (const target of ['/domains', '/check-mail', '/nope', '/healthz']) {
    const { headers, json } = await ask(harness, target);
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    if (json.status === 'error') expect(json.request_id).toBe(headers['x-request-id']);
    ids.add(headers['x-request-id']);
  }
  expect(ids.size).toBe(4);
});

it('serves everything under the base path and nothing beside it', async () => {
  const harness = await startHttp({ settings: { basePath: '/mail/box' } });
  for (const target of [
    '/mail/box',
    '/mail/box/',
    '/mail/box/domains',
    '/mail/box/docs',
    '/mail/box/docs/style.css',
  ]) {
    expect((await ask(harness, target)).status).toBe(200);
  }
  for (const target of ['/', '/mail', '/domains', '/mail/domains', '/mail/boxdomains', '/docs']) {
    const answer = await ask(harness, target);
    expect([answer.status, answer.json.code]).toEqual([404, 'not_found']);
  }
});

it('reports readiness and its reason', async () => {
  const harness = await startHttp({
    health: { isReady: () => ({ ready: false, reason: 'the disk is full' }) },
  });
  expect((await ask(harness, '/healthz')).status).toBe(200);
  const answer = await ask(harness, '/readyz');
  expect([answer.status, answer.json.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '5']);
  expect(answer.json.message).toContain('the disk is full');
});
