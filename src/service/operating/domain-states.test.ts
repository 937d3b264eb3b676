import { expect, it } from 'vitest';

import type { DomainCheck } from './check-domain.ts';
import { createDomainStates, type DomainStates } from './domain-states.ts';

interface Look {
  readonly domain: string;
  answer(...states: readonly DomainCheck['state'][]): void;
}

function open(names: string[], waitMs = 20_000) {
  const looks: Look[] = [];
  const time = { now: 0 };
  const states = createDomainStates({
    directory: {
      listDomains: () =>
        Promise.resolve(
          names.map((name, id) => ({
            id,
            name,
            isActive: true,
            quarantineMs: 0,
            refusesDmarcReject: false,
            discardsUnknown: false,
            takesPlusTags: true,
          })),
        ),
    },
    check: (domain) =>
      new Promise((resolve) => {
        looks.push({
          domain,
          answer: (...found) => {
            resolve(found.map((state) => ({ what: 'mx', state, detail: `It is ${state}.` })));
          },
        });
      }),
    clock: () => time.now,
    waitMs,
  });
  return { states, looks, time, names };
}

async function list(states: DomainStates): Promise<string[]> {
  return (await states.list()).map(({ domain, state }) => `${domain} ${state}`);
}

/** Until all that can happen without an answer has happened. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('ranks what is wrong before what could not be checked, and that before what is right', async () => {
  const { states, looks } = open(['a.test', 'b.test', 'c.test', 'd.test']);
  const listing = list(states);
  await settle();
  looks[0]?.answer('ok', 'unknown', 'warning');
  looks[1]?.answer('ok', 'unknown');
  looks[2]?.answer('unknown', 'warning', 'failed');
  looks[3]?.answer();
  expect(await listing).toEqual(['a.test warning', 'b.test unknown', 'c.test failed', 'd.test unknown']);
});

it('tells the worst of what was found, and remembers it for minutes', async () => {
  const { states, looks, time } = open(['a.test', 'b.test']);
  const listing = list(states);
  await settle();
  looks[0]?.answer('ok', 'failed', 'warning');
  looks[1]?.answer('ok');
  expect(await listing).toEqual(['a.test failed', 'b.test ok']);
  time.now = 4 * 60_000;
  expect(await list(states)).toEqual(['a.test failed', 'b.test ok']);
  expect(looks).toHaveLength(2);
  time.now = 6 * 60_000;
  const again = list(states);
  await settle();
  expect(looks).toHaveLength(4);
  looks[2]?.answer('ok');
  looks[3]?.answer('unknown');
  expect(await again).toEqual(['a.test ok', 'b.test unknown']);
});

it('waits only so long, and shows what is known meanwhile', async () => {
  const { states, looks } = open(['a.test', 'b.test'], 1);
  expect(await list(states)).toEqual(['a.test pending', 'b.test pending']);
  looks[0]?.answer('ok');
  await settle();
  expect(await list(states)).toEqual(['a.test ok', 'b.test pending']);
  expect(looks).toHaveLength(2);
});

it('looks at a few at a time', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `d${at}.test`);
  const { states, looks } = open(names, 1);
  await states.list();
  expect(looks).toHaveLength(4);
  looks[0]?.answer('ok');
  looks[1]?.answer('ok');
  await settle();
  expect(looks.map(({ domain }) => domain)).toEqual(names.slice(0, 6));
});

it('looks at as few at a time when it begins anew', async () => {
  const names = Array.from({ length: 10 }, (_, at) => `d${at}.test`);
  const { states, looks, time } = open(names, 1);
  await states.list();
  for (const at of names.keys()) {
    looks[at]?.answer('ok');
    await settle();
  }
  time.now = 6 * 60_000;
  await states.list();
  expect(looks).toHaveLength(names.length + 4);
});

it('looks again when asked to, at the operator’s domains alone', async () => {
  const { states, looks, names } = open(['a.test']);
  for (const state of ['failed', 'ok'] as const) {
    const looking = states.lookAgain('A.test');
    await settle();
    looks.at(-1)?.answer(state);
    expect((await looking).state).toBe(state);
  }
  expect(await list(states)).toEqual(['a.test ok']);
  await expect(states.lookAgain('b.test')).rejects.toThrow('There is no domain "b.test".');
  names.pop();
  expect(await list(states)).toEqual([]);
});
