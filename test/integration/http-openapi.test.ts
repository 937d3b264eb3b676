// The OpenAPI document against the server: real responses match its schemas without extra fields, every documented
// code is in the catalogue, and documented requests are accepted.
import { describe, expect, it } from 'vitest';
import { Compile } from 'typebox/schema';

import { type ErrorCode, errorCatalogue } from '../../src/domain/error-catalogue.ts';
import { errorsOf } from '../../src/http/docs/describe-interface.ts';
import { createPushBrowser } from '../support/servers/push-browser.ts';
import {
  allOperations,
  ask,
  type Harness,
  type HttpAnswer,
  operationsWithPush,
  postJson,
  startHttp,
} from './http-harness.ts';

interface Response {
  headers?: Record<string, { $ref?: string }>;
  content?: Record<
    string,
    { schema: { $ref?: string }; example?: unknown; examples?: Record<string, { value: { code: string } }> }
  >;
}

interface Document {
  openapi: string;
  servers: { url: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: {
    schemas: Record<string, object>;
    headers: Record<string, object>;
    securitySchemes: Record<string, object>;
  };
}

interface DocumentedOperation {
  operationId: string;
  tags: string[];
  security: Record<string, never[]>[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: object }> };
  responses: Record<string, Response>;
}

function operationAt(document: Document, method: string, path: string): DocumentedOperation {
  const operation = document.paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not documented`);
  return operation;
}

async function fetchDocument(harness: Harness): Promise<Document> {
  const answer = await ask(harness, '/openapi.json');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  return answer.json as Document;
}

/** Returns the schema with its references inlined, and closed: an undocumented field is an error. */
function closeSchema(document: Document, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => closeSchema(document, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) {
    const name = String(schema.$ref).replace('#/components/schemas/', '');
    expect(document.components.schemas).toHaveProperty(name);
    return closeSchema(document, document.components.schemas[name]);
  }
  const closed = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, closeSchema(document, value)]),
  );
  return 'properties' in schema && 'required' in schema ? { ...closed, additionalProperties: false } : closed;
}

function expectFits(
  document: Document,
  target: { method: string; path: string; status: number },
  body: unknown,
): void {
  const { method, path, status } = target;
  const content =
    document.paths[path]?.[method.toLowerCase()]?.responses[status]?.content?.['application/json'];
  expect([method, path, status, content]).toEqual([method, path, status, expect.anything()]);
  const [isValid, errors] = Compile(closeSchema(document, content!.schema) as object).Errors(body);
  expect({ path, errors: isValid ? [] : errors, body }).toEqual({ path, errors: [], body });
}

const mail = [
  'From: A <a@example.org>',
  'To: b@example.org',
  'Subject: x',
  'Content-Type: multipart/mixed; boundary=x',
  '',
  '--x',
  '',
  'Your code is 123456. See https://example.org/',
  '--x',
  'Content-Type: image/png',
  'Content-ID: <c@d>',
  'Content-Disposition: inline; filename=a.png',
  '',
  'PNG',
  '--x--',
  '',
].join('\r\n');

function postFile(harness: Harness, token: string): Promise<HttpAnswer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'message/rfc822' };
  return ask(harness, '/import', { method: 'POST', headers, body: mail });
}

it('describes every successful response, field by field', async () => {
  const push = { publicKey: 'key', isAllowed: () => true, serverKey: Buffer.alloc(32) };
  const harness = await startHttp({ wrapDeps: (deps) => ({ ...deps, push }) });
  const document = await fetchDocument(harness);
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  const parameters: Record<string, unknown> = { id: 1, token };
  const given: Record<string, object> = {
    '/create-session': { prefix: 'fox', password: 'x' },
    '/reopen-session': { email: 'fox@mayfly.test', password: 'x' },
    '/mark-mail': { token, read: 0, all: 1 },
    '/subscribe-push': { token, ...createPushBrowser().subscription('https://push.test/a') },
    '/unsubscribe-push': { token, subscription_id: 'none' },
  };
  for (const { method, path, answers } of operationsWithPush) {
    if (typeof answers === 'string') continue;
    // Sharing follows deleting.
    if (path === '/create-share') delete parameters['id'];
    const answer =
      method === 'GET'
        ? await ask(harness, `${path}?id=1&token=${token}`)
        : path === '/import'
          ? await postFile(harness, token)
          : await postJson(harness, path, given[path] ?? parameters);
    if (path === '/create-share') parameters['share_id'] = answer.json['share_id'];
    expect([path, answer.status]).toEqual([path, 200]);
    expectFits(document, { method, path, status: 200 }, answer.json);
  }
});

it('has a matching example of every successful response', async () => {
  const document = await fetchDocument(await startHttp());
  for (const { method, path, answers } of allOperations) {
    if (typeof answers === 'string') continue;
    const { responses } = operationAt(document, method, path);
    expectFits(
      document,
      { method, path, status: 200 },
      responses[200]?.content?.['application/json']?.example,
    );
  }
});

it('describes failures', async () => {
  const harness = await startHttp({ health: { isReady: () => ({ ready: false, reason: 'x' }) } });
  const document = await fetchDocument(harness);
  const { token } = await harness.lend('taken');
  const failures: [string, string, Promise<{ status: number; json: unknown }>][] = [
    ['GET', '/check-mail', ask(harness, '/check-mail')],
    ['GET', '/check-mail', ask(harness, `/check-mail?limit=x&token=${token}`)],
    ['GET', '/read-mail', ask(harness, `/read-mail?token=${token}`)],
    ['GET', '/read-mail', ask(harness, `/read-mail?id=1&token=${token}`)],
    ['GET', '/domains', ask(harness, '/domains', { headers: { host: 'evil.example' } })],
    ['GET', '/readyz', ask(harness, '/readyz')],
    ['POST', '/create-session', postJson(harness, '/create-session', [])],
    ['POST', '/create-session', postJson(harness, '/create-session', { prefix: 'taken' })],
    ['POST', '/create-session', postJson(harness, '/create-session', { prefix: 'root' })],
    ['POST', '/create-session', postJson(harness, '/create-session', { prefix: 'x'.repeat(70_000) })],
    ['POST', '/delete-mail', ask(harness, '/delete-mail', { method: 'POST', body: 'x' })],
  ];
  for (const [method, path, answer] of failures) {
    const { status, json } = await answer;
    expect(status).toBeGreaterThanOrEqual(400);
    expectFits(document, { method, path, status }, json);
  }
});

it('refuses, as a test of this test, a response with a field too many or too few', async () => {
  const harness = await startHttp();
  const document = await fetchDocument(harness);
  const target = { method: 'GET', path: '/domains', status: 200 };
  const right = { status: 'success', domains: [{ id: 1, domain: 'a' }], gmail_accounts: [] };
  expectFits(document, target, right);
  for (const wrong of [
    { ...right, more: 1 },
    { status: 'success', domains: [] },
    { ...right, domains: [{ id: 1 }] },
  ]) {
    expect(() => { expectFits(document, target, wrong); }).toThrow('errors'); // prettier-ignore
  }
});

describe('errors', () => {
  it('documents only codes of the catalogue, each under its status, with an example', async () => {
    const document = await fetchDocument(await startHttp());
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      for (const [status, response] of Object.entries(operation.responses)) {
        for (const [code, example] of Object.entries(
          response.content?.['application/json']?.examples ?? {},
        )) {
          expect(errorCatalogue).toHaveProperty(code);
          expect([code, errorCatalogue[code as ErrorCode].http]).toEqual([code, Number(status)]);
          expect(example.value.code).toBe(code);
        }
      }
    }
  });

  it('documents every code an operation can return today', () => {
    const documented = new Set(allOperations.flatMap(errorsOf));
    // Codes of paths rather than operations, of the admin interface and of dialects.
    const elsewhere = ['not_found', 'method_not_allowed', 'command_refused', 'foreign_origin'];
    const missing = Object.keys(errorCatalogue).filter((code) => !documented.has(code as ErrorCode));
    expect(missing.filter((code) => !elsewhere.includes(code))).toEqual([]);
  });
});

it('names every operation once, with its parameters in each place', async () => {
  const document = await fetchDocument(
    await startHttp({ settings: { publicUrl: 'https://mail.example.org' } }),
  );
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: 'https://mail.example.org' }]);
  const names = allOperations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, method, path, parameters, access } of allOperations) {
    const operation = operationAt(document, method, path);
    expect(operation.operationId).toBe(name);
    const inQuery = operation.parameters?.filter((parameter) => parameter.in === 'query') ?? [];
    const expected = Object.keys(parameters);
    if (method === 'GET') expect(inQuery.map((parameter) => parameter.name)).toEqual(expected);
    const isFile = path === '/import';
    for (const { schema } of Object.values(operation.requestBody?.content ?? {})) {
      if (isFile) continue;
      const { properties } = closeSchema(document, schema) as { properties: object };
      expect(Object.keys(properties)).toEqual(access === 'session' ? ['token', ...expected] : expected);
    }
    // A single media type: generators create a method for each, or fail.
    if (method === 'POST') {
      const type = isFile ? 'message/rfc822' : 'application/json';
      expect(Object.keys(operation.requestBody?.content ?? {})).toEqual([type]);
    }
    const schemes = operation.security.flatMap((one) => Object.keys(one));
    for (const scheme of schemes) expect(document.components.securitySchemes).toHaveProperty(scheme);
    expect(schemes.includes('bearer')).toBe(access === 'session');
  }
});

describe('generated clients', () => {
  it('names each response, and a message once', async () => {
    const document = await fetchDocument(await startHttp());
    for (const { method, path, name, answers } of allOperations) {
      if (typeof answers === 'string') continue;
      const { schema } = operationAt(document, method, path).responses[200]!.content!['application/json']!;
      expect(schema.$ref).toBe(`#/components/schemas/${name.charAt(0).toUpperCase()}${name.slice(1)}Result`);
    }
    const text = JSON.stringify(document);
    expect(text.split('"authentication_details"').filter((_, index) => index > 0)).toHaveLength(
      // The property, its name in `required`, and the examples of read-mail, peek-mail and wait-mail.
      5,
    );
  });

  it('has a format for every integer, and no enumeration of numbers', async () => {
    const document = await fetchDocument(await startHttp());
    const integers: Record<string, unknown>[] = [];
    JSON.stringify(document, (_key, value: unknown) => {
      if (typeof value === 'object' && value !== null && 'type' in value && value.type === 'integer') {
        integers.push({ ...value });
      }
      return value;
    });
    expect(integers.length).toBeGreaterThan(20);
    for (const integer of integers) {
      expect(integer).not.toHaveProperty('enum');
      expect(['int32', 'int64']).toContain(integer['format']);
      if (Number(integer['maximum'] ?? 0) > 2 ** 31 - 1) expect(integer['format']).toBe('int64');
    }
  });

  it('has no link with a body, which generators refuse', async () => {
    const text = JSON.stringify(await fetchDocument(await startHttp()));
    expect(text).toContain('"links":');
    expect(text).not.toMatch(/"operationId":"\w+","requestBody"/);
  });

  it('describes the header fields of requests and responses', async () => {
    const document = await fetchDocument(await startHttp());
    const inHeader = (method: string, path: string): string[] =>
      (operationAt(document, method, path).parameters ?? [])
        .filter((parameter) => parameter.in === 'header')
        .map((parameter) => parameter.name);
    expect(inHeader('GET', '/check-mail')).toEqual(['If-None-Match']);
    expect(inHeader('GET', '/events')).toEqual(['Last-Event-ID']);
    expect(operationAt(document, 'POST', '/create-session').security).toEqual([{}, { apiKey: [] }]);
    // The body may carry the token.
    const deleting = operationAt(document, 'POST', '/delete-mail').security;
    expect(deleting).toEqual([{ bearer: [] }, { token: [] }, {}]);
    expect(document.components.securitySchemes).toHaveProperty('apiKey.name', 'X-Api-Key');
    for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      for (const status of ['429', '503']) {
        const response = operation.responses[status];
        if (response) expect(response.headers).toHaveProperty('Retry-After');
      }
      for (const { $ref } of Object.values(operation.responses).flatMap((one) =>
        Object.values(one.headers ?? {}),
      )) {
        if ($ref !== undefined) {
          expect(document.components.headers).toHaveProperty($ref.replace('#/components/headers/', ''));
        }
      }
    }
  });
});

it('renders docs without scripts, foreign URLs or inline style, under their own policy', async () => {
  const harness = await startHttp({ settings: { basePath: '/mail' } });
  const page = await ask(harness, '/mail/docs');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': expect.stringContaining("default-src 'none'; style-src 'self'"),
  });
  expect(page.text).not.toMatch(/<script|\son\w+=|style=|<style|(?:href|src)="(?:https?:)?\/\//i);
  for (const { name, path } of allOperations) {
    expect(page.text).toContain(`id="${name}"`);
    expect(page.text).toContain(`/mail${path}`);
  }
  for (const code of Object.keys(errorCatalogue)) expect(page.text).toContain(`id="error-${code}"`);
  for (const [, href] of page.text.matchAll(/(?:href|src)="([^"#]+)"/g)) {
    expect([href, (await ask(harness, href!)).status]).toEqual([href, 200]);
  }
  expect(page.text).not.toContain('[object');
  expect(page.text).not.toContain('undefined');
});

it('has each operation in one of the described groups, none of them empty', async () => {
  const { tags, paths } = await fetchDocument(await startHttp());
  const used = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operation.tags),
  );
  expect(used.filter((names) => names.length !== 1)).toEqual([]);
  expect(tags.map(({ name }) => name).sort()).toEqual([...new Set(used.flat())].sort());
  expect(tags.filter(({ description }) => description === '')).toEqual([]);
});
