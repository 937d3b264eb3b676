// POST /smtp-faults: the faults a capture session may set, and those it may not.

import { expect, it } from 'vitest';

import { type Harness, type HttpAnswer, postJson, startHttp } from './http-harness.ts';

async function capture(harness: Harness): Promise<string> {
  return (await harness.services.createCaptureSession({})).token;
}

function post(harness: Harness, token: string, given: object): Promise<HttpAnswer> {
  return postJson(harness, '/smtp-faults', { token, ...given });
}

it('adds rules in order, shows them with their effects, and clears them', async () => {
  const harness = await startHttp();
  const token = await capture(harness);
  const given = { stage: 'rcpt', code: 450, text: '4.2.1 Later', first: 2, probability: 50, seed: 7 };
  const one = { delay_ms: 0, drop: false, greylist: false, fired: 0, ...given };
  const added = await post(harness, token, given);
  expect([added.status, added.json.rules]).toEqual([200, [one]]);
  const both = await post(harness, token, { stage: 'end_of_data', drop: true, delay_ms: 100 });
  expect(both.json.rules).toEqual([
    one,
    expect.objectContaining({ stage: 'end_of_data', code: null, drop: true, delay_ms: 100, first: null }),
  ]);
  expect((await postJson(harness, '/smtp-faults', { token })).json.rules).toEqual(both.json.rules);
  const replaced = await post(harness, token, { stage: 'rcpt', greylist: 1, clear: 1 });
  expect(replaced.json.rules).toMatchObject([{ stage: 'rcpt', code: 451, greylist: true }]);
  expect((await post(harness, token, { clear: true })).json.rules).toEqual([]);
  expect((await postJson(harness, '/smtp-faults', { token })).json.rules).toEqual([]);
});

it.each<[object, string, string | undefined]>([
  [{ code: 450 }, 'missing_parameter', 'stage'],
  [{ drop: false }, 'missing_parameter', 'stage'],
  [{ seed: 1, clear: true }, 'missing_parameter', 'stage'],
  [{ stage: 'helo' }, 'invalid_parameter', 'stage'],
  [{ stage: 'rcpt', code: 250 }, 'invalid_parameter', 'code'],
  [{ stage: 'rcpt', code: 'x' }, 'invalid_parameter', 'code'],
  [{ stage: 'rcpt', text: 'a\r\n250 OK' }, 'invalid_parameter', 'text'],
  [{ stage: 'rcpt', delay_ms: 30_001 }, 'invalid_parameter', 'delay_ms'],
  [{ stage: 'rcpt', first: 0 }, 'invalid_parameter', 'first'],
  [{ stage: 'rcpt', probability: 101 }, 'invalid_parameter', 'probability'],
  [{ stage: 'mail', greylist: 1 }, 'invalid_parameter', 'greylist'],
  [{ stage: 'rcpt', drop: 1, code: 450 }, 'conflicting_parameters', undefined],
])('%j is refused with %s', async (given, code, parameter) => {
  const harness = await startHttp();
  const token = await capture(harness);
  const { status, json } = await post(harness, token, given);
  expect([status, json.code, json.parameter]).toEqual([400, code, parameter]);
  expect((await postJson(harness, '/smtp-faults', { token })).json.rules).toEqual([]);
});

it('accepts twenty rules per session and no more', async () => {
  const harness = await startHttp();
  const token = await capture(harness);
  for (let count = 0; count < 20; count++) {
    expect((await post(harness, token, { stage: 'mail' })).status).toBe(200);
  }
  expect((await post(harness, token, { stage: 'mail' })).json.code).toBe('invalid_parameter');
  expect((await postJson(harness, '/smtp-faults', { token })).json.rules).toHaveLength(20);
});

it('is for a capture session’s holder: no other session, no other token, no share', async () => {
  const harness = await startHttp();
  const [mine, other] = [await capture(harness), await capture(harness)];
  const { token: plain } = await harness.lend('fox');
  await post(harness, mine, { stage: 'rcpt' });
  expect((await postJson(harness, '/smtp-faults', { token: other })).json.rules).toEqual([]);
  for (const given of [{ stage: 'rcpt' }, { stage: 'rcpt', clear: 1 }]) {
    const { status, json } = await post(harness, plain, given);
    expect([status, json.code]).toEqual([403, 'capture_only']);
  }
  expect((await postJson(harness, '/smtp-faults', { token: plain })).json.rules).toEqual([]);
  const { share } = (await postJson(harness, '/create-share', { token: mine })).json;
  expect((await post(harness, share, { stage: 'rcpt' })).json.code).toBe('read_only');
  expect((await postJson(harness, '/smtp-faults', { token: share })).json.code).toBe('read_only');
});
