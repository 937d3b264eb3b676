// Every parameter of every operation: missing, wrong, doubled, oversized, in every place it may be sent.
import { expect, it } from 'vitest';

import type { Operation } from '../../src/http/operation.ts';
import type { Parameter } from '#values/parameter';
import { allOperations, ask, type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

type Pairs = readonly (readonly [string, string])[];

interface Carrier {
  readonly name: string;
  send(harness: Harness, operation: Operation, pairs: Pairs): Promise<HttpAnswer>;
}

function urlencode(pairs: Pairs): string {
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
}

function post(contentType: string, write: (pairs: Pairs) => string): Carrier['send'] {
  return (harness, { path }, pairs) =>
    ask(harness, path, { method: 'POST', headers: { 'content-type': contentType }, body: write(pairs) });
}

const query: Carrier = {
  name: 'query',
  send: (harness, { method, path }, pairs) => ask(harness, `${path}?${urlencode(pairs)}`, { method }),
};
const bodies: Carrier[] = [
  { name: 'urlencoded', send: post('application/x-www-form-urlencoded', urlencode) },
  {
    name: 'multipart',
    send: post('multipart/form-data; boundary=b', (pairs) =>
      [
        ...pairs.map(
          ([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
        ),
        '--b--\r\n',
      ].join(''),
    ),
  },
  {
    name: 'JSON',
    send: post(
      'Application/JSON; charset="UTF-8"',
      (pairs) =>
        `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(',')}}`,
    ),
  },
];

/** The body of an import is the message. */
const others = allOperations.filter(({ path }) => path !== '/import');

const cases = others.flatMap((operation) =>
  (operation.method === 'GET' ? [query] : [query, ...bodies]).map((carrier) => ({
    operation,
    carrier,
    title: `${operation.path} by ${carrier.name}`,
  })),
);

function wrongValues(parameter: Parameter): string[] {
  if (parameter.kind === 'int') {
    return ['x', '1.5', '1e2', '-1', '+1', '٣', '9'.repeat(1000), String(parameter.max) + '0'];
  }
  if (parameter.kind === 'time') return ['x', '-1', '2026-13-01', '2026-01-01T', '9'.repeat(1000)];
  if (parameter.kind === 'choice') return ['x', '1', parameter.values.join(), 'x'.repeat(1000)];
  return parameter.kind === 'flag' ? ['2', 'yes', 'TRUE', 'x'.repeat(1000)] : [];
}

it.each(cases)(
  '$title: names each parameter that is missing, wrong or doubled',
  async ({ operation, carrier }) => {
    const harness = await startHttp();
    const { token, session } = await harness.lend();
    await harness.deliver('Subject: x\r\n\r\ny\r\n', [session]);
    const access: Pairs = operation.access === 'session' ? [['token', token]] : [];
    const entries = Object.entries<Parameter>(operation.parameters);
    const valid = (parameter: Parameter, at = 0): string => {
      if (parameter.kind === 'choice') return parameter.values[at] ?? '';
      if (parameter.kind === 'time') return `2026-01-0${at + 1}`;
      return String(parameter.kind === 'int' ? Math.max(parameter.min, 1) + at : 1 - at);
    };
    const required: Pairs = entries
      .filter(([, one]) => one.required)
      .map(([name, one]) => [name, valid(one)]);
    const without = (name: string): Pairs => [...access, ...required.filter(([other]) => other !== name)];
    const expectError = async (pairs: Pairs, code: string, parameter: string): Promise<void> => {
      const answer = await carrier.send(harness, operation, pairs);
      expect([pairs, answer.json]).toEqual([
        pairs,
        expect.objectContaining({ status: 'error', code, parameter }),
      ]);
    };
    for (const [name, parameter] of entries) {
      if (parameter.required) {
        await expectError(without(name), 'missing_parameter', name);
        await expectError([...without(name), [name, '']], 'missing_parameter', name);
      }
      for (const wrong of wrongValues(parameter)) {
        await expectError([...without(name), [name, wrong]], 'invalid_parameter', name);
      }
      const doubled: Pairs = [...without(name), [name, valid(parameter)], [name, valid(parameter, 1)]];
      await expectError(doubled, 'conflicting_parameters', name);
    }
    if (operation.access === 'session') {
      await expectError(required, 'missing_token', 'token');
      await expectError([['token', ''], ...required], 'missing_token', 'token');
      await expectError([['token', 'x'.repeat(8000)], ...required], 'unknown_token', 'token');
      await expectError([...access, ['token', 'x'], ...required], 'conflicting_parameters', 'token');
    }
    const isChange = ['/delete-mail', '/mark-mail'].includes(operation.path);
    const ignored: Pairs = [
      ...access,
      ...required,
      // One of several is required.
      ...(isChange ? [['id', '1'] as const] : []),
      ['unknown', 'x'],
      ['__proto__', 'x'],
      ['constructor', 'x'],
    ];
    // A part or picture that the message lacks is not found, and no session has the password; everything else
    // succeeds.
    const needs = (more: (name: string) => boolean): boolean => required.some(([name]) => more(name));
    const needsMore = needs((name) => name !== 'id') && !isChange;
    const status = needs((name) => name === 'password') ? 401 : needsMore ? 404 : 200;
    expect((await carrier.send(harness, operation, ignored)).status).toBe(status);
  },
);

it('merges query and body, and refuses two values in two places', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver('Subject: x\r\n\r\ny\r\n', [session]);
  const conflict = await postJson(harness, '/delete-mail?id=1', { token, id: 2 });
  expect([conflict.status, conflict.json.code, conflict.json.parameter]).toEqual([
    400,
    'conflicting_parameters',
    'id',
  ]);
  expect((await postJson(harness, '/delete-mail?id=1', { token, id: 1 })).status).toBe(200);
});

it('accepts the token as Bearer, in any case of the scheme, and refuses two tokens', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const withField = (authorization: string, more = '') =>
    ask(harness, `/session${more}`, { headers: { authorization } });
  for (const field of [`Bearer ${token}`, `bearer   ${token}`, `BEARER ${token} `]) {
    expect((await withField(field)).status).toBe(200);
    expect((await withField(field, `?token=${token}`)).status).toBe(200);
    const two = await withField(field, '?token=mf_other');
    expect([two.status, two.json.code, two.json.parameter]).toEqual([400, 'conflicting_parameters', 'token']);
  }
  for (const field of ['Basic dTpw', 'Bearer', 'Bearer ', token, 'Bearerx y']) {
    const answer = await withField(field);
    expect([answer.status, answer.json.code, answer.headers['www-authenticate']]).toEqual([
      401,
      'missing_token',
      'Bearer',
    ]);
  }
});

it('accepts numbers, flags and null of JSON, and refuses other types of known parameters', async () => {
  const harness = await startHttp();
  const { token, session } = await harness.lend();
  await harness.deliver('Subject: x\r\n\r\ny\r\n', [session]);
  const create = (content: object) => postJson(harness, '/create-session', content);
  expect((await create({ domain_id: 1, use_gmail: false, gmail_auto: 0, prefix: null })).status).toBe(200);
  expect((await create({ unknown: { deep: [[1]] }, other: [] })).status).toBe(200);
  for (const wrong of [{ domain_id: [1] }, { domain_id: {} }, { domain_id: 1.5 }, { domain_id: true }]) {
    expect((await create(wrong)).json).toMatchObject({ code: 'invalid_parameter', parameter: 'domain_id' });
  }
  for (const wrong of [{ prefix: 5 }, { prefix: ['a'] }, { use_gmail: 'on' }, { use_gmail: [1] }]) {
    expect((await create(wrong)).json).toMatchObject({
      code: 'invalid_parameter',
      parameter: Object.keys(wrong)[0],
    });
  }
  expect((await postJson(harness, '/delete-mail', { token, id: 1.0 })).status).toBe(200);
});

it('checks the token before other parameters', async () => {
  const harness = await startHttp();
  expect((await ask(harness, '/read-mail?id=x')).json.code).toBe('missing_token');
  expect((await ask(harness, '/read-mail?id=x&token=mf_x')).json.code).toBe('unknown_token');
});

it.each([
  ['application/json', '{"id":', 'malformed_body', 400],
  ['application/json', '[]', 'malformed_body', 400],
  ['application/json', '"text"', 'malformed_body', 400],
  ['application/json', Buffer.from([0x7b, 0xff, 0x7d]), 'malformed_body', 400],
  ['application/x-www-form-urlencoded', 'a=%ZZ', 'malformed_body', 400],
  ['application/x-www-form-urlencoded', Buffer.from([0x61, 0x3d, 0xff]), 'malformed_body', 400],
  ['multipart/form-data', 'x', 'malformed_body', 400],
  ['multipart/form-data; boundary=b', 'x', 'malformed_body', 400],
  ['text/plain', 'prefix=a', 'unsupported_media_type', 415],
  ['application/json; charset=utf-16', '{}', 'unsupported_media_type', 415],
  ['application/jsonx', '{}', 'unsupported_media_type', 415],
  ['garbage', '{}', 'unsupported_media_type', 415],
  ['application/json', ' '.repeat(65 * 1024), 'body_too_large', 413],
])('refuses a body of %s %j with %s', async (contentType, body, code, status) => {
  const harness = await startHttp();
  const answer = await ask(harness, '/create-session', {
    method: 'POST',
    headers: { 'content-type': contentType },
    body,
  });
  expect([answer.status, answer.json.code]).toEqual([status, code]);
});

it('refuses a body without a type and a compressed one, and accepts an empty one of any type', async () => {
  const harness = await startHttp();
  const untyped = await ask(harness, '/create-session', { method: 'POST', body: '{}' });
  expect([untyped.status, untyped.json.code]).toEqual([415, 'unsupported_media_type']);
  const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
  const compressed = await ask(harness, '/create-session', { method: 'POST', headers, body: '{}' });
  expect([compressed.status, compressed.json.code]).toEqual([415, 'unsupported_media_type']);
  for (const contentType of ['text/plain', 'garbage', 'application/json', 'multipart/form-data']) {
    const empty = { method: 'POST', headers: { 'content-type': contentType, 'content-length': '0' } };
    expect((await ask(harness, '/create-session', empty)).status).toBe(200);
  }
  const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
  expect((await ask(harness, '/create-session', { method: 'POST', headers: chunked })).status).toBe(200);
});

it('ignores the body of a GET', async () => {
  const harness = await startHttp();
  const headers = { 'content-type': 'application/json', 'content-length': '9' };
  expect((await ask(harness, '/domains', { headers, body: '{"a":"b"' + '}' })).status).toBe(200);
});

it('refuses a file where a parameter is expected and ignores others', async () => {
  const harness = await startHttp();
  const send = (name: string) =>
    ask(harness, '/create-session', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: `--b\r\nContent-Disposition: form-data; name="${name}"; filename="x"\r\n\r\nabc\r\n--b--\r\n`,
    });
  expect((await send('prefix')).json).toMatchObject({ code: 'invalid_parameter', parameter: 'prefix' });
  expect((await send('other')).status).toBe(200);
});
