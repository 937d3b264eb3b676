// Capture sessions over HTTP: who may create one, the response, and what it rules out.

import { expect, it } from 'vitest';

import type { HttpSettings } from '../../src/http/server/http-server-options.ts';
import { addKey } from '../../src/service/operating/manage-keys.ts';
import { ask, type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

function create(
  harness: Harness,
  headers: Record<string, string> = {},
  parameters: object = {},
): Promise<HttpAnswer> {
  const body = JSON.stringify({ capture: 1, ...parameters });
  const type = { 'content-type': 'application/json' };
  return ask(harness, '/create-session', { method: 'POST', headers: { ...type, ...headers }, body });
}

/** Returns status, code and parameter. */
async function refusal(answer: Promise<HttpAnswer>): Promise<[number, string, string | undefined]> {
  const { status, json } = await answer;
  return [status, json.code, json.parameter];
}

async function keyFor(harness: Harness, scopes: string[]): Promise<Record<string, string>> {
  const name = ['key', ...scopes].join('-');
  const { key } = await addKey(harness.ruled.operator, { name, kind: 'caller', scopes });
  return { 'x-api-key': key };
}

const proxied: Partial<HttpSettings> = { trustedProxies: ['127.0.0.1'] };

it('lends a label to a program on the machine, and says how to send to it', async () => {
  const harness = await startHttp({ access: {} });
  const { status, json } = await create(harness, {}, { lifetime: 600 });
  expect([status, json.status]).toEqual([200, 'success']);
  const [, label] = /^\*@([a-hjkmnp-z][a-hjkmnp-z2-9]{7})\.mayfly\.test$/.exec(json.email) ?? [];
  expect(json.smtp).toEqual({ host: '127.0.0.1', port: 2525, username: label, password: json.token });
  expect(json.expires_in).toBe(600);
  const headers = { authorization: `Bearer ${json.token}` };
  const shown = (await ask(harness, '/session', { headers })).json;
  expect(shown.email).toBe(json.email);
  expect(shown.smtp).toEqual({ host: '127.0.0.1', port: 2525, username: label });
  expect((await ask(harness, '/check-mail', { headers })).json).toMatchObject({
    email: json.email,
    messages: [],
  });
});

it('leaves an ordinary session as it was', async () => {
  const harness = await startHttp({ access: {} });
  for (const capture of [undefined, 0, false, '0']) {
    const { json } = await postJson(harness, '/create-session', { capture });
    expect(json.email).toMatch(/^[a-z]+\.[a-z]+[2-9]\d@mayfly\.test$/);
    expect(json).not.toHaveProperty('smtp');
    const headers = { authorization: `Bearer ${json.token}` };
    expect((await ask(harness, '/session', { headers })).json).not.toHaveProperty('smtp');
  }
});

it('lends one elsewhere only for a key with the scope, and names what is missing', async () => {
  const harness = await startHttp({ settings: proxied, access: {} });
  const elsewhere = { 'x-forwarded-for': '192.0.2.1' };
  expect(await refusal(create(harness, elsewhere))).toEqual([401, 'api_key_required', undefined]);
  const without = await create(harness, { ...elsewhere, ...(await keyFor(harness, ['create', 'webhook'])) });
  expect([without.status, without.json.code]).toEqual([403, 'insufficient_scope']);
  expect(without.json.message).toContain('`capture`');
  const wrong = { ...elsewhere, 'x-api-key': `mk_${'A'.repeat(43)}` };
  expect(await refusal(create(harness, wrong))).toEqual([401, 'invalid_api_key', undefined]);
  for (const scopes of [['capture'], ['create', 'capture'], []]) {
    const { status, json } = await create(harness, { ...elsewhere, ...(await keyFor(harness, scopes)) });
    expect([scopes, status, json.smtp?.host]).toEqual([scopes, 200, 'mx.mayfly.test']);
  }
  const ordinary = { ...elsewhere, ...(await keyFor(harness, ['capture', 'gmail'])) };
  expect(await refusal(create(harness, ordinary, { capture: 0 }))).toEqual([
    403,
    'insufficient_scope',
    undefined,
  ]);
});

it('takes no request through a proxy or of a page for a program on the machine', async () => {
  const behindNamed = await startHttp({ settings: proxied, access: {} });
  const alone = await startHttp({ settings: { hosts: ['*'] }, access: {} });
  const throughProxies: [Harness, Record<string, string>][] = [
    [behindNamed, {}],
    [behindNamed, { 'x-forwarded-for': '127.0.0.1' }],
    [behindNamed, { 'x-forwarded-for': '192.0.2.1, 127.0.0.1' }],
    [behindNamed, { 'x-forwarded-for': 'unknown' }],
    [alone, { 'x-forwarded-for': '127.0.0.1' }],
    [alone, { 'x-forwarded-for': '' }],
    [alone, { forwarded: 'for=127.0.0.1' }],
    [alone, { via: '1.1 proxy' }],
    [alone, { 'x-real-ip': '127.0.0.1' }],
    [alone, { host: 'mail.example.org' }],
    [alone, { origin: 'http://127.0.0.1:3000' }],
    [await startHttp({ settings: { publicUrl: 'https://mail.example.org' }, access: {} }), {}],
  ];
  for (const [harness, headers] of throughProxies) {
    expect([headers, (await create(harness, headers)).json.code]).toEqual([headers, 'api_key_required']);
  }
  expect((await create(alone)).status).toBe(200);
});

it('recognises a program on the machine beside a proxy elsewhere', async () => {
  const harness = await startHttp({ settings: { trustedProxies: ['192.0.2.9'] }, access: {} });
  expect((await create(harness)).status).toBe(200);
});

it('excludes parameters for a specific address, and counts like any session', async () => {
  const harness = await startHttp({ access: { perAddress: 1 } });
  for (const [name, value] of Object.entries({
    prefix: 'fox',
    use_gmail: 1,
    gmail_auto: 1,
    gmail_id: 1,
    alias: 'dot',
    googlemail: 1,
  })) {
    expect(await refusal(create(harness, {}, { [name]: value }))).toEqual([
      400,
      'conflicting_parameters',
      name,
    ]);
  }
  expect(await refusal(create(harness, {}, { capture: 'yes' }))).toEqual([
    400,
    'invalid_parameter',
    'capture',
  ]);
  expect(await refusal(create(harness, {}, { domain_id: 99 }))).toEqual([404, 'unknown_domain', 'domain_id']);
  expect((await create(harness)).status).toBe(200);
  expect(await refusal(create(harness))).toEqual([429, 'too_many_sessions', undefined]);
});

it('requires a key where every session does', async () => {
  const harness = await startHttp({ access: { isKeyRequired: true } });
  expect(await refusal(create(harness))).toEqual([401, 'invalid_api_key', undefined]);
  expect((await create(harness, await keyFor(harness, ['capture']))).status).toBe(200);
});

it('drops its oldest mail on request, logs it, and refuses `on_full` for other sessions', async () => {
  const harness = await startHttp({ access: {} });
  const { json } = await create(harness, {}, { on_full: 'drop_oldest' });
  const headers = { authorization: `Bearer ${json.token}` };
  expect((await ask(harness, '/session', { headers })).json.on_full).toBe('drop_oldest');
  const refusing = (await create(harness, {}, { on_full: 'refuse' })).json;
  const shown = await ask(harness, '/session', { headers: { authorization: `Bearer ${refusing.token}` } });
  expect(shown.json.on_full).toBe('refuse');
  expect(await refusal(create(harness, {}, { on_full: 'drop' }))).toEqual([
    400,
    'invalid_parameter',
    'on_full',
  ]);
  for (const value of ['drop_oldest', 'refuse']) {
    const ordinary = create(harness, {}, { capture: 0, on_full: value });
    expect(await refusal(ordinary)).toEqual([400, 'invalid_parameter', 'on_full']);
  }
  const { session } = await harness.services.authenticateToken(json.token);
  for (let count = 0; count < 101; count++) await harness.deliver(`Subject: ${count}\r\n\r\n`, [session]);
  const listed = (await ask(harness, '/check-mail', { headers })).json.messages;
  expect([listed.length, listed.at(-1).subject, listed[0].subject]).toEqual([100, '1', '100']);
  const first = await ask(harness, '/read-mail?id=1', { headers });
  expect([first.status, first.json.code]).toEqual([404, 'message_not_found']);
  const { entries } = await harness.services.readLog(session, { after: 99, limit: 10 });
  expect(entries.map(({ seq, kind }) => [seq, kind])).toEqual([
    [100, 'message.received'],
    [101, 'message.dropped'],
    [102, 'message.received'],
  ]);
});
