import { expect, it } from 'vitest';

import type { AcmeAnswer } from './acme-client.ts';
import { AcmeProblem } from './problem.ts';
import { type OrderInput, type OrderStep, runOrder } from './run-order.ts';

const orderUrl = 'https://ca.test/order/1';
const pem = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';

const input: OrderInput = {
  newOrderUrl: 'https://ca.test/new-order',
  orderUrl: undefined,
  names: ['a.test', '192.0.2.1'],
  profile: undefined,
  replaces: undefined,
  csr: 'CSR',
  challengeTypes: ['http-01', 'tls-alpn-01'],
  thumbprint: 'THUMB',
};

function answer(json: unknown, more: Partial<AcmeAnswer> = {}): AcmeAnswer {
  return { json, text: '', location: undefined, retryAfterMs: undefined, ...more };
}

function order(status: string, more: object = {}): AcmeAnswer {
  return answer(
    {
      status,
      authorizations: ['https://ca.test/authz/1', 'https://ca.test/authz/2'],
      finalize: 'https://ca.test/finalize/1',
      ...more,
    },
    { location: orderUrl },
  );
}

function authorization(at: number, status: string, challengeStatus = 'pending'): AcmeAnswer {
  const token = `token-000000000${at}`;
  const challenge = (type: string) => ({
    type,
    url: `https://ca.test/challenge/${at}/${type}`,
    status: challengeStatus,
    token,
    ...(status === 'invalid'
      ? { error: { type: 'urn:ietf:params:acme:error:dns', detail: 'no address' } }
      : {}),
  });
  return answer({
    identifier: { type: 'dns', value: at === 1 ? 'a.test' : '192.0.2.1' },
    status,
    challenges: [challenge('dns-01'), challenge('tls-alpn-01'), challenge('http-01')],
  });
}

function problem(type: string, status: number): AcmeProblem {
  return new AcmeProblem({ type, detail: type, status, names: [], retryAfterMs: undefined });
}

/** Answers each step in turn; returns the steps, and the result. */
function play(given: Partial<OrderInput>, answers: readonly (AcmeAnswer | Error)[]) {
  const machine = runOrder({ ...input, ...given });
  const steps: OrderStep[] = [];
  let next = machine.next();
  const left = [...answers];
  while (next.done !== true) {
    steps.push(next.value);
    if (next.value.kind !== 'post') {
      next = machine.next(answer(undefined));
      continue;
    }
    const given_ = left.shift();
    if (given_ === undefined) throw new Error(`No answer for ${JSON.stringify(next.value)}`);
    next = given_ instanceof Error ? machine.throw(given_) : machine.next(given_);
  }
  expect(left).toEqual([]);
  return { steps, chain: next.value };
}

const urls = (steps: readonly OrderStep[]): string[] =>
  steps.map((step) => (step.kind === 'post' ? step.url.slice('https://ca.test/'.length) : step.kind));

it('orders names, proves control over each, and downloads the certificate', () => {
  const { steps, chain } = play({}, [
    order('pending'),
    authorization(1, 'pending'),
    authorization(2, 'pending'),
    answer({}),
    answer({}),
    authorization(1, 'pending'),
    authorization(1, 'valid'),
    authorization(2, 'valid'),
    order('ready'),
    order('processing'),
    order('valid', { certificate: 'https://ca.test/cert/1' }),
    answer(undefined, { text: pem }),
  ]);
  expect(chain).toBe(pem);
  expect(urls(steps)).toEqual([
    'new-order',
    'keep',
    'authz/1',
    'authz/2',
    'present',
    'challenge/1/http-01',
    'challenge/2/http-01',
    'authz/1',
    'wait',
    'authz/1',
    'authz/2',
    'order/1',
    'finalize/1',
    'order/1',
    'cert/1',
  ]);
  expect(steps[0]).toMatchObject({
    payload: {
      identifiers: [
        { type: 'dns', value: 'a.test' },
        { type: 'ip', value: '192.0.2.1' },
      ],
    },
  });
  expect(steps[4]).toMatchObject({
    challenges: [
      { type: 'http-01', name: 'a.test', keyAuthorization: 'token-0000000001.THUMB' },
      { type: 'http-01', name: '192.0.2.1', keyAuthorization: 'token-0000000002.THUMB' },
    ],
  });
  expect(steps[12]).toMatchObject({ payload: { csr: 'CSR' } });
});

it('answers nothing again for names that are proven already', () => {
  const { steps } = play({}, [
    order('ready'),
    order('valid', { certificate: 'https://ca.test/cert/1' }),
    answer(undefined, { text: pem }),
  ]);
  expect(urls(steps)).toEqual(['new-order', 'keep', 'finalize/1', 'cert/1']);
});

it.each([
  ['processing', ['order/1', 'order/1', 'cert/1']],
  ['valid', ['order/1', 'cert/1']],
] as const)('takes up an order that is %s', (status, expected) => {
  const valid = order('valid', { certificate: 'https://ca.test/cert/1' });
  const answers = status === 'valid' ? [valid] : [order(status), valid];
  const { steps } = play({ orderUrl }, [...answers, answer(undefined, { text: pem })]);
  expect(urls(steps)).toEqual(expected);
});

it('presents a challenge again that was being validated, without asking twice', () => {
  const { steps } = play({ orderUrl }, [
    order('pending'),
    authorization(1, 'valid'),
    authorization(2, 'pending', 'processing'),
    authorization(2, 'valid'),
    order('ready'),
    order('valid', { certificate: 'https://ca.test/cert/1' }),
    answer(undefined, { text: pem }),
  ]);
  expect(urls(steps)).toEqual([
    ...['order/1', 'authz/1', 'authz/2', 'present', 'authz/2', 'order/1', 'finalize/1', 'cert/1'],
  ]);
});

it.each([
  ['is invalid', order('invalid')],
  ['is unknown', problem('malformed', 404)],
])('orders anew when the earlier order %s', (_title, first) => {
  const { steps } = play({ orderUrl }, [
    first,
    order('ready'),
    order('valid', { certificate: 'https://ca.test/cert/1' }),
    answer(undefined, { text: pem }),
  ]);
  expect(urls(steps).slice(0, 3)).toEqual(['order/1', 'new-order', 'keep']);
});

it('orders without naming the certificate to replace when the server will not have it', () => {
  const { steps } = play({ replaces: 'OLD', profile: 'shortlived' }, [
    problem('alreadyReplaced', 409),
    order('ready'),
    order('valid', { certificate: 'https://ca.test/cert/1' }),
    answer(undefined, { text: pem }),
  ]);
  expect(steps[0]).toMatchObject({ payload: { replaces: 'OLD', profile: 'shortlived' } });
  expect(steps[1]).toMatchObject({ payload: { profile: 'shortlived' } });
  expect(steps[1]).not.toMatchObject({ payload: { replaces: 'OLD' } });
});

it('fails with the names that could not be proven, and why', () => {
  const run = () =>
    play({}, [
      order('pending'),
      authorization(1, 'pending'),
      authorization(2, 'pending'),
      ...[answer({}), answer({})],
      ...[authorization(1, 'invalid'), authorization(2, 'valid')],
    ]);
  expect(run).toThrow('a.test: no address');
  expect(run).toThrow(
    expect.objectContaining({ status: 0, names: [{ name: 'a.test', type: 'dns', detail: 'no address' }] }),
  );
});

it('fails when the server offers no challenge that can be answered', () => {
  const run = () =>
    play({ challengeTypes: ['tls-alpn-01'] }, [
      order('pending'),
      answer({ identifier: { value: 'a.test' }, status: 'pending', challenges: [] }),
    ]);
  expect(run).toThrow('The server offers none of tls-alpn-01.');
});

it('waits as long as the server says, at most half a minute, and gives up after ten minutes', () => {
  const machine = runOrder({ ...input, orderUrl });
  machine.next();
  let next = machine.next(order('processing'));
  const waits: number[] = [];
  const poll = (): void => {
    for (;;) {
      if (next.done === true) throw new Error('It ended.');
      if (next.value.kind === 'wait') waits.push(next.value.ms);
      next = machine.next({ ...order('processing'), retryAfterMs: waits.length < 2 ? 3_600_000 : 0 });
    }
  };
  expect(poll).toThrow('The server did not decide in ten minutes.');
  expect(waits[0]).toBe(30_000);
  expect(Math.max(...waits)).toBe(30_000);
  expect(waits.reduce((sum, ms) => sum + ms)).toBeLessThanOrEqual(600_000);
});

it.each([
  ['an unknown status', answer({ status: 'odd', authorizations: [], finalize: 'https://ca.test/f' })],
  ['plain HTTP', order('ready', { finalize: 'http://ca.test/finalize' })],
  ['no list', order('pending', { authorizations: 'x' })],
  ['too many names', order('pending', { authorizations: Array.from({ length: 201 }, () => orderUrl) })],
  ['no object', answer('text')],
])('refuses an order with %s', (_title, first) => {
  expect(() => play({}, [first])).toThrow(/^(?:An order has|The server gave)/);
});

it('refuses anything but certificates in PEM', () => {
  const run = () =>
    play({ orderUrl }, [
      order('valid', { certificate: 'https://ca.test/cert/1' }),
      answer(undefined, { text: '-----BEGIN PRIVATE KEY-----' }),
    ]);
  expect(run).toThrow('The server gave no certificate.');
});
