// Parameters that an operation ignores, but that were probably meant for it, are named in the answer; and every JSON
// answer ends with a line feed.

import { expect, it } from 'vitest';

import { ask, type Harness, type HttpAsk, startHttp } from './http-harness.ts';

async function warningsOf(harness: Harness, pathAndQuery: string, init: HttpAsk = {}): Promise<unknown> {
  const { status, json, text } = await ask(harness, pathAndQuery, init);
  expect(status).toBe(200);
  expect(text.endsWith('}\n')).toBe(true);
  return (json as { warnings?: unknown }).warnings;
}

function form(text: string): HttpAsk {
  return {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
}

it.each([
  ['prefx=joe', ['create-session has no parameter `prefx`; did you mean `prefix`?']],
  ['Prefix=joe', ['create-session has no parameter `Prefix`; did you mean `prefix`?']],
  ['perfix=joe&lifetiem=60', ['prefix', 'lifetime']],
  ['use-gmail=0', ['use_gmail']],
  ['domain=example.org', ['create-session has no parameter `domain`; did you mean `domain_id`?']],
  ['has_code=1', ['create-session has no parameter `has_code`, which belongs to check-mail.']],
])('warns of %s', async (body, expected) => {
  const harness = await startHttp();
  const warnings = (await warningsOf(harness, '/create-session', form(body))) as string[];
  expect(warnings).toHaveLength(expected.length);
  for (const [at, text] of expected.entries()) expect(warnings[at]).toContain(text);
  expect(await warningsOf(harness, `/create-session?${body}`, { method: 'POST' })).toEqual(warnings);
});

it('warns of a member of a JSON body', async () => {
  const harness = await startHttp();
  const init = {
    method: 'POST',
    body: JSON.stringify({ prefixx: 'joe' }),
    headers: { 'content-type': 'application/json' },
  };
  expect(await warningsOf(harness, '/create-session', init)).toEqual([
    'create-session has no parameter `prefixx`; did you mean `prefix`?',
  ]);
});

it('says nothing of fields that resemble no parameter, or were given rightly', async () => {
  const harness = await startHttp();
  const body = `csrfmiddlewaretoken=1&utm_source=2&_=3&x=4&prefix=joe&${'y'.repeat(100)}=5&__proto__=6`;
  expect(await warningsOf(harness, '/create-session', form(body))).toBeUndefined();
  expect(await warningsOf(harness, '/domains')).toBeUndefined();
});

it('warns in kept answers without keeping the warning', async () => {
  const harness = await startHttp();
  const { token } = await harness.lend();
  const lists = ['', '&limt=5', ''].map((query) => `/check-mail?token=${token}${query}`);
  const answers = [];
  for (const list of lists) answers.push(await warningsOf(harness, list));
  expect(answers).toEqual([
    undefined,
    ['check-mail has no parameter `limt`; did you mean `limit`?'],
    undefined,
  ]);
});

it('warns of twenty at most, in the order given', async () => {
  const harness = await startHttp();
  const many = Array.from(
    { length: 2000 },
    (_, at) => `prefix${at % 10}${String.fromCodePoint(97 + (at % 26))}=1`,
  );
  const warnings = await warningsOf(harness, '/create-session', form(many.join('&')));
  expect(warnings).toHaveLength(20);
});

it('ends errors with a line feed too', async () => {
  const harness = await startHttp();
  for (const path of ['/check-mail', '/nowhere', '/openapi.json', '/healthz']) {
    const { text, headers } = await ask(harness, path);
    expect(text).toMatch(/\}\n$/);
    expect(headers['content-length']).toBe(String(Buffer.byteLength(text)));
  }
});
