// The document against the server: real answers fit its schemas and have no field beside them, every documented code
// is one of the catalogue, and what the document says to send is taken.
import { describe, expect, it } from 'vitest';
import { Compile } from 'typebox/schema';

import { type ErrorCode, errorCatalogue } from '../../src/domain/error-catalogue.ts';
import { errorsOf } from '../../src/http/openapi/openapi-responses.ts';
import { allOperations, ask, type Harness, postJson, startHttp } from './http-harness.ts';

interface Document {
  openapi: string;
  servers: { url: string }[];
  paths: Record<string, Record<string, DocumentedOperation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

interface DocumentedOperation {
  operationId: string;
  security?: Record<string, never[]>[];
  parameters?: { name: string; in: string; required: boolean; schema: object }[];
  requestBody?: { content: Record<string, { schema: { properties: Record<string, object> } }> };
  responses: Record<
    string,
    { content?: Record<string, { schema: object; examples?: Record<string, { value: { code: string } }> }> }
  >;
}

async function fetchDocument(harness: Harness): Promise<Document> {
  const answer = await ask(harness, '/openapi.json');
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  return answer.json as Document;
}

/** The schema with its references put in, and closed: a field that the document does not name is an error. */
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

it('describes every successful answer, field by field', async () => {
  const harness = await startHttp();
  const document = await fetchDocument(harness);
  const { token, session } = await harness.lend();
  await harness.deliver(mail, [session]);
  for (const { method, path, answers } of allOperations) {
    if (typeof answers === 'string') continue;
    const answer =
      method === 'GET'
        ? await ask(harness, `${path}?id=1&token=${token}`)
        : await postJson(harness, path, path === '/create-session' ? {} : { id: 1, token });
    expect([path, answer.status]).toEqual([path, 200]);
    expectFits(document, { method, path, status: 200 }, answer.json);
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

it('refuses, as a test of this test, an answer with a field too many or too few', async () => {
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

  it('documents every code that an operation can answer today', () => {
    const documented = new Set(allOperations.flatMap(errorsOf));
    // Of paths rather than operations, and of the admin interface.
    const elsewhere = ['not_found', 'method_not_allowed', 'command_refused'];
    const missing = Object.keys(errorCatalogue).filter((code) => !documented.has(code as ErrorCode));
    expect(missing.filter((code) => !elsewhere.includes(code))).toEqual([]);
  });
});

it('names every operation once, with what it takes in each carrier', async () => {
  const document = await fetchDocument(
    await startHttp({ settings: { publicUrl: 'https://mail.example.org' } }),
  );
  expect(document.openapi).toBe('3.1.0');
  expect(document.servers).toEqual([{ url: 'https://mail.example.org' }]);
  const names = allOperations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, method, path, parameters, access } of allOperations) {
    const operation = document.paths[path]?.[method.toLowerCase()];
    expect(operation?.operationId).toBe(name);
    const described = operation?.parameters?.map((parameter) => parameter.name) ?? [];
    const expected = Object.keys(parameters);
    if (method === 'GET') expect(described).toEqual(expected);
    for (const { schema } of Object.values(operation?.requestBody?.content ?? {})) {
      expect(Object.keys(schema.properties)).toEqual(
        access === 'session' ? ['token', ...expected] : expected,
      );
    }
    if (method === 'POST') {
      expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual([
        'application/json',
        'application/x-www-form-urlencoded',
        'multipart/form-data',
      ]);
    }
    for (const scheme of operation?.security?.flatMap((one) => Object.keys(one)) ?? []) {
      expect(document.components.securitySchemes).toHaveProperty(scheme);
    }
    expect(operation?.security !== undefined).toBe(access === 'session');
  }
});

it('renders docs without scripts, foreign addresses or inline style, under a policy of their own', async () => {
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
