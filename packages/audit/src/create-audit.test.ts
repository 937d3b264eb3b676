import { expect, it } from 'vitest';

import { auditKeptMs, auditMax, createAudit, refusalsMax } from './create-audit.ts';
import type { Act, AuditBounds, AuditEntry, AuditStore } from './entry.ts';

class Refused extends Error {}

function open(store: Partial<AuditStore> = {}) {
  const entries: AuditEntry[] = [];
  const faults: unknown[] = [];
  const sweeps: AuditBounds[] = [];
  let time = Date.UTC(2026, 0, 1);
  const kept: AuditStore = {
    addEntry: (entry) => {
      entries.unshift({ ...entry, at: (time += 1000) });
      return Promise.resolve();
    },
    endEntry: ({ id, ...end }) => {
      const at = entries.findIndex((one) => one.id === id);
      entries[at] = { ...entries[at]!, ...end };
      return Promise.resolve();
    },
    listEntries: ({ after, limit }) => {
      const from = after ? entries.findIndex(({ id }) => id === after.id) + 1 : 0;
      return Promise.resolve(entries.slice(from, from + limit));
    },
    sweepEntries: (bounds) => {
      sweeps.push(bounds);
      return Promise.resolve();
    },
    ...store,
  };
  const audit = createAudit({
    store: kept,
    now: () => time,
    mask: (text) => text.replaceAll('hunter2', '…'),
    describe: (error) => ({
      outcome: error instanceof Refused ? 'refused' : 'failed',
      detail: error instanceof Refused ? error.message : 'a fault of ours',
    }),
    onError: (error) => faults.push(error),
  });
  return { audit, entries, faults, sweeps, now: () => time };
}

const act = { actor: { kind: 'key', name: 'ops' }, action: 'add-domain' } as const;
const actOn = (target: string): Act => ({ ...act, target });

it('notes an act before it begins, and its outcome when it has ended', async () => {
  const { audit, entries } = open();
  let during: AuditEntry | undefined;
  const result = await audit.record({ ...act, target: (name = 'new') => name }, () => {
    during = entries[0];
    return Promise.resolve('new.example');
  });
  expect(result).toBe('new.example');
  expect(during).toMatchObject({ ...act, target: 'new', outcome: 'begun', detail: '' });
  expect(entries).toMatchObject([{ ...act, target: 'new.example', outcome: 'done', detail: '' }]);
});

it('does nothing that it cannot note', async () => {
  const { audit } = open({ addEntry: () => Promise.reject(new Error('no store')) });
  let isDone = false;
  const work = (): Promise<void> => {
    isDone = true;
    return Promise.resolve();
  };
  await expect(audit.record({ ...act, target: () => '' }, work)).rejects.toThrow('no store');
  expect(isDone).toBe(false);
});

it('passes the result on although its end could not be noted', async () => {
  const fault = new Error('gone');
  const { audit, entries, faults } = open({ endEntry: () => Promise.reject(fault) });
  expect(await audit.record({ ...act, target: () => '' }, () => Promise.resolve(1))).toBe(1);
  expect([entries[0]?.outcome, faults]).toEqual(['begun', [fault]]);
});

it.each([
  [new Refused('There is no such domain.'), 'refused', 'There is no such domain.'],
  [new Error('secret detail'), 'failed', 'a fault of ours'],
])('notes why it came to nothing: %s', async (error, outcome, detail) => {
  const { audit, entries } = open();
  const work = (): Promise<never> => Promise.reject(error);
  await expect(audit.record({ ...act, target: () => 'x' }, work)).rejects.toBe(error);
  expect(entries).toMatchObject([{ target: 'x', outcome, detail }]);
});

it('keeps neither secrets, line ends nor long texts', async () => {
  const { audit, entries } = open();
  await audit.note(actOn(`a\nb\u202e${'x'.repeat(1000)}`), 'refused', 'It was hunter2.');
  const [{ target, detail } = { target: '', detail: '' }] = entries;
  expect(detail).toBe('It was ….');
  expect(target).toMatch(/^a b x+…$/);
  expect(target).toHaveLength(320);
});

it('finds entries that have all the words, in any case, however far back', async () => {
  const { audit } = open();
  for (let at = 0; at < 1200; at++) await audit.note(actOn(`${at}.example`), 'refused', 'No.');
  const found = await audit.search({ words: 'OPS refused 7.EXAMPLE 2026-01-01', limit: 5 });
  expect(found.map(({ target }) => target)).toEqual([
    ...['1197.example', '1187.example', '1177.example', '1167.example', '1157.example'],
  ]);
  expect(await audit.search({ words: 'add-domain 1.example key', limit: 1000 })).toHaveLength(120);
  expect(await audit.search({ words: 'passkey', limit: 5 })).toEqual([]);
  expect(await audit.search({ words: '', limit: 3 })).toHaveLength(3);
});

it('sweeps by age and number, and by itself after many acts', async () => {
  const { audit, sweeps, now } = open();
  for (let at = 0; at < 400; at++) await audit.note(actOn(''), 'done');
  expect(sweeps).toHaveLength(2);
  await audit.sweep();
  expect(sweeps.at(-1)).toEqual({
    before: now() - auditKeptMs,
    refusedMax: refusalsMax,
    othersMax: auditMax,
  });
});
