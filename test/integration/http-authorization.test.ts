// Authorization: every operation with every wrong credential (IDOR), and tickets outside their scope.
import { expect, it } from 'vitest';

import { adminOperations } from '../../src/http/admin/admin-operations.ts';
import type { Parameter } from '#values/parameter';
import { createToken } from '#sealing/token';
import type { OpenSession } from '../../src/service/session/session-access.ts';
import { createApiKey } from '../../src/secrets/api-key.ts';
import { listGmailAccounts } from '../../src/service/operating/gmail-control.ts';
import { addKey, revokeKey } from '../../src/service/operating/manage-keys.ts';
import { startAdminServer } from '../support/service/admin-fixture.ts';
import { allOperations, ask, type HttpAnswer, startHttp } from './http-harness.ts';

const mail = [
  'Subject: secret',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  '',
  'text',
  '--x',
  'Content-Type: application/pdf',
  'Content-Disposition: attachment; filename=a.pdf',
  '',
  'PDF',
  '--x--',
  '',
].join('\r\n');

const sessionOperations = allOperations.filter(({ access }) => access === 'session');

it.each(sessionOperations)('$path serves only the holder', async ({ method, path, parameters }) => {
  const harness = await startHttp();
  const owner = await harness.lend('owner');
  const other = await harness.lend('other');
  const ended = await harness.lend('ended');
  await harness.store.mail.endSession(ended.session.key);
  await harness.deliver('Subject: unrelated\r\n\r\n\r\n', [other.session]);
  await harness.store.mail.deleteMessage(other.session.key, 1);
  await harness.deliver(mail, [owner.session]);
  const callerKey = await addKey(harness.ruled.operator, { name: 'shop', kind: 'caller', scopes: [] });
  const adminKey = await addKey(harness.ruled.operator, { name: 'ops', kind: 'admin', scopes: [] });
  // Other required parameters may have any value: a stranger is refused before they matter.
  const others = Object.entries<Parameter>(parameters)
    .filter(([name, one]) => one.required && !['id', 'part'].includes(name))
    .map(([name]) => `&${name}=1`);
  const query = (id: number): string => `id=${id}&part=2&timeout=0${others.join('')}`;
  const send = (token: string | undefined, how: 'query' | 'bearer') => {
    const shown = token === undefined || how === 'bearer' ? '' : `&token=${encodeURIComponent(token)}`;
    const headers = token === undefined || how === 'query' ? {} : { authorization: `Bearer ${token}` };
    return ask(harness, `${path}?${query(1)}${shown}`, { method, headers });
  };
  const unsignedJwt = 'eyJhbGciOiJub25lIn0.eyJhZG1pbiI6dHJ1ZX0.';
  const strangers: [string | undefined, number, string][] = [
    [undefined, 401, 'missing_token'],
    ['x', 401, 'unknown_token'],
    [unsignedJwt, 401, 'unknown_token'],
    [createToken().token, 401, 'unknown_token'],
    [`${owner.token}x`, 401, 'unknown_token'],
    [owner.token.toUpperCase(), 401, 'unknown_token'],
    [owner.session.address, 401, 'unknown_token'],
    [Buffer.from(owner.session.key).toString('hex'), 401, 'unknown_token'],
    [callerKey.key, 401, 'unknown_token'],
    [adminKey.key, 401, 'unknown_token'],
    [`mf_${callerKey.key.slice(4)}`, 401, 'unknown_token'],
    [ended.token, 410, 'session_expired'],
  ];
  for (const [token, status, code] of strangers) {
    for (const how of ['query', 'bearer'] as const) {
      const answer = await send(token, how);
      expect([token, how, answer.status, answer.json.code]).toEqual([token, how, status, code]);
      expect(answer.text).not.toContain('secret');
    }
  }
  const foreign = await send(other.token, 'bearer');
  if ('id' in parameters) {
    const absent = await ask(harness, `${path}?${query(999)}`, {
      method,
      headers: { authorization: `Bearer ${other.token}` },
    });
    expect([foreign.status, foreign.json.code]).toEqual([404, 'message_not_found']);
    expect({ ...foreign.json, request_id: '' }).toEqual({ ...absent.json, request_id: '' });
  } else {
    expect(foreign.text).not.toContain('owner@');
  }
  // Some name a part or picture this message does not have.
  const needsMore = 'part' in parameters || others.length > 0;
  // A file was not sent.
  const allowed = path === '/import' ? [400] : needsMore ? [200, 404] : [200];
  expect(allowed).toContain((await send(owner.token, 'bearer')).status);
});

it('keeps ids beyond any session’s from reaching other sessions', async () => {
  const harness = await startHttp();
  const first = await harness.lend();
  const second = await harness.lend();
  await harness.deliver(mail, [second.session]);
  for (const power of [16, 20, 21, 22, 23, 24, 31, 32, 40, 52]) {
    for (const id of [2 ** power - 1, 2 ** power, 2 ** power + 1]) {
      for (const path of ['/read-mail', '/raw-mail']) {
        const answer = await ask(harness, `${path}?id=${id}&token=${first.token}`);
        expect([id, answer.status]).toEqual([id, 404]);
      }
    }
  }
  const last = await ask(harness, `/check-mail?after=${2 ** 53 - 1}&token=${first.token}`);
  expect(last.json.messages).toEqual([]);
});

it('accepts a ticket for its purpose, until its five minutes are over', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const { message } = (await ask(harness, `/read-mail?id=1&token=${token}`)).json;
  const [{ url }] = message.attachments;
  expect((await ask(harness, url)).text).toBe('PDF');
  expect((await ask(harness, message.raw_url)).text).toContain('Subject: secret');
  harness.advance(5 * 60_000);
  for (const link of [url, message.raw_url]) {
    const answer = await ask(harness, link);
    expect([answer.status, answer.json.code]).toEqual([410, 'session_expired']);
  }
});

it('refuses tickets for another part, message or session, altered ones, and tickets in place of a token', async () => {
  const harness = await startHttp();
  const { session } = await harness.lend();
  const other = await harness.lend();
  for (let count = 0; count < 2; count++) await harness.deliver(mail, [session, other.session]);
  const now = Date.now();
  const issue = (holder: OpenSession, madeAt: number): string =>
    harness.services.issueTicket({ session: holder }, { messageId: 1, part: '2', madeAt });
  const ticket = issue(session, now);
  const altered = ticket.slice(0, -1) + (ticket.endsWith('A') ? 'B' : 'A');
  // Made for the other session, renamed to this one.
  const moved = Buffer.from(issue(other.session, now), 'base64url');
  moved.set(session.key, 0);
  const foreign = moved.toString('base64url');
  const longer = issue(session, now + 1e9).slice(0, 29) + ticket.slice(29);
  expect((await ask(harness, `/attachment?id=1&part=2&ticket=${ticket}`)).status).toBe(200);
  for (const target of [
    `/attachment?id=2&part=2&ticket=${ticket}`,
    `/attachment?id=1&part=1&ticket=${ticket}`,
    `/attachment?id=1&part=raw&ticket=${ticket}`,
    `/raw-mail?id=1&ticket=${ticket}`,
    `/attachment?id=1&part=2&ticket=${altered}`,
    `/attachment?id=1&part=2&ticket=${foreign}`,
    `/attachment?id=1&part=2&ticket=${longer}`,
    '/attachment?id=1&part=2&ticket=x',
  ]) {
    const answer = await ask(harness, target);
    expect([target, answer.status, answer.json.code]).toEqual([target, 401, 'unknown_token']);
  }
  for (const path of ['/read-mail', '/check-mail', '/session']) {
    const answer = await ask(harness, `${path}?id=1&part=2&ticket=${ticket}`);
    expect([path, answer.json.code]).toEqual([path, 'missing_token']);
  }
});

it('ends tickets with their session', async () => {
  const harness = await startHttp();
  const { session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const ticket = harness.services.issueTicket({ session }, { messageId: 1, part: '2', madeAt: Date.now() });
  await harness.store.mail.endSession(session.key);
  const answer = await ask(harness, `/attachment?id=1&part=2&ticket=${ticket}`);
  expect([answer.status, answer.json.code]).toEqual([410, 'session_expired']);
});

// The code of a link is a key itself.
const closed = adminOperations.filter(({ isOpen }) => isOpen !== true);

it.each(closed)('$method $path serves only the operator', async ({ method, path, parameters }) => {
  const harness = await startHttp({ access: {} });
  const admin = await startAdminServer(harness.ruled);
  const { token, session } = await harness.lend('fox');
  const { operator } = admin;
  const caller = await addKey(operator, { name: 'shop', kind: 'caller', scopes: [] });
  const revoked = await addKey(operator, { name: 'old', kind: 'admin', scopes: [] });
  await revokeKey(operator, 'old');
  const reader = await addKey(operator, { name: 'reader', kind: 'admin', scopes: ['read'] });
  const writer = await addKey(operator, { name: 'writer', kind: 'admin', scopes: ['write'] });
  const before = await stateOf(operator);
  const given = {
    name: 'mayfly.test',
    address: session.address,
    kind: 'sender',
    value: 'a.example',
    id: 'all',
    email: 'fox@gmail.com',
    password: 'abcd efgh ijkl mnop',
    from: 'raw',
    ceremony: 'x',
    response: '{}',
  };
  const query = new URLSearchParams(Object.entries(given).filter(([name]) => name in parameters));
  const target = (more = '') => `${path}?${query.toString()}${more}`;
  const send = (authorization: string | undefined, more = ''): Promise<HttpAnswer> =>
    ask(admin, target(more), { method, headers: authorization === undefined ? {} : { authorization } });

  const unsignedJwt = 'eyJhbGciOiJub25lIn0.eyJhZG1pbiI6dHJ1ZX0.';
  const basic = `Basic ${Buffer.from(`admin:${admin.key}`).toString('base64')}`;
  const wrong = [
    token,
    createToken().token,
    createApiKey('admin'),
    caller.key,
    revoked.key,
    `${admin.key}x`,
    unsignedJwt,
  ];
  const strangers = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    basic,
    admin.key,
    ...wrong.map((one) => `Bearer ${one}`),
  ];
  for (const authorization of [...strangers, `Bearer ${admin.key.replace('mfa_', 'mfk_')}`]) {
    const answer = await send(authorization);
    expect([authorization, answer.status, answer.json.code]).toEqual([authorization, 401, 'invalid_api_key']);
    expect(answer.text).not.toContain('mayfly.test');
  }
  // A key in the URL, in X-Api-Key or in a body is ignored.
  for (const more of [`&token=${admin.key}`, `&key=${admin.key}`, `&authorization=Bearer%20${admin.key}`]) {
    expect((await send(undefined, more)).status).toBe(401);
  }
  expect((await ask(admin, target(), { method, headers: { 'x-api-key': admin.key } })).status).toBe(401);
  const lesser = method === 'GET' ? writer : reader;
  const refused = await send(`Bearer ${lesser.key}`);
  expect([refused.status, refused.json.code]).toEqual([403, 'insufficient_scope']);
  expect(await stateOf(operator)).toEqual(before);
  expect((await ask(harness, `/check-mail?token=${token}`)).status).toBe(200);
  const right = await send(`Bearer ${admin.key}`);
  expect([200, 409]).toContain(right.status);
});

/** Returns the state that commands change. */
async function stateOf(operator: Awaited<ReturnType<typeof startAdminServer>>['operator']): Promise<unknown> {
  const keys = (await operator.keys.listKeys()).map(({ name, revokedAt }) => [name, revokedAt === null]);
  const sessions = (await operator.finder.findLive('', 10)).map(({ address }) => address);
  const accounts = (await listGmailAccounts(operator.gmail.gmail)).map(({ account }) => account.email);
  return [
    await operator.directory.listDomains(),
    await operator.blocks.listBlocks(),
    keys,
    sessions,
    accounts,
  ];
}

it('knows no route missing in both tables', async () => {
  const harness = await startHttp({ access: {} });
  const admin = await startAdminServer(harness.ruled);
  const pages = ['/', '/openapi.json', '/docs', '/docs/', '/docs/style.css'];
  const fonts = ['latin', 'latin-ext', 'cyrillic'].map(
    (script) => `/admin/geist-${script}-wght-normal.woff2`,
  );
  const files = ['/admin/style.css', '/admin/script.js', '/admin/favicon.svg', ...fonts];
  const adminPages = ['/admin', '/admin/', '/admin/log', ...files, '/metrics'];
  expect(harness.server.paths()).toEqual(
    [...allOperations.map(({ path }) => path), ...pages].sort((one, other) => (one < other ? -1 : 1)),
  );
  expect(admin.paths()).toEqual(
    [...adminOperations.map(({ path }) => path), ...adminPages].sort((one, other) => (one < other ? -1 : 1)),
  );
});
