import { beforeEach, expect, it, vi } from 'vitest';

import type { CheckState, DoctorReport, GmailAccount, Status } from '../api/answers.ts';
import { findMatters, type Sources } from './find-matters.ts';

beforeEach(() => {
  vi.stubGlobal('navigator', { languages: ['en'] });
  return () => vi.unstubAllGlobals();
});

const status: Status = {
  version: '0',
  ready: true,
  reason: null,
  uptime_seconds: 1,
  live_sessions: 0,
  active_domains: 1,
  keys: 0,
  blocks: 0,
  dead_webhooks: 0,
  certificate: { not_after: null, renewal: null },
};

function answer<A>(given: A): { answer: A; problem: string } {
  return { answer: given, problem: '' };
}

function report(...states: readonly CheckState[]): DoctorReport {
  const findings = states.map((state, at) => ({
    check: 'mx',
    state,
    what: `${at} is ${state}.`,
    fix: state === 'ok' ? null : 'Mend it.',
  }));
  return { checked_at: '2026-01-01 00:00:00', state: 'unknown', findings };
}

function account(state: GmailAccount['state']): GmailAccount {
  return { email: 'box@mail.example', state } as GmailAccount;
}

const fine: Sources = {
  status: answer(status),
  doctor: answer(report('ok', 'ok')),
  gmail: answer({ accounts: [account('healthy'), account('disabled')] }),
};

/** Each as its rank and its words. */
function wordsOf(changes: Partial<Sources>): string[] {
  return findMatters({ ...fine, ...changes }).matters.map(({ rank, words }) => `${rank} ${words}`);
}

it('finds nothing when everything was checked and is right', () => {
  expect(findMatters(fine)).toEqual({ matters: [], isPending: false });
});

it('names every check that is not right, the worst first, and what to do', () => {
  expect(wordsOf({ doctor: answer(report('unknown', 'warning', 'ok', 'failed')) })).toEqual([
    'failed 3 is failed. Mend it.',
    'warning 1 is warning. Mend it.',
    'unknown 0 is unknown. Mend it.',
  ]);
});

it('leaves readiness to the status, which is newer', () => {
  const { findings, ...rest } = report('failed');
  const old = { ...rest, findings: findings.map((one) => ({ ...one, check: 'service' })) };
  expect(wordsOf({ doctor: answer(old) })).toEqual([]);
});

it.each<keyof Sources>(['doctor', 'gmail'])(
  'has not looked at everything while %s is not known',
  (source) => {
    const changes: Partial<Sources> = { [source]: { answer: undefined, problem: '' } };
    expect(findMatters({ ...fine, ...changes })).toEqual({ matters: [], isPending: true });
  },
);

it.each<keyof Sources>(['status', 'doctor', 'gmail'])(
  'says so when %s cannot be asked for, even if an earlier answer was right',
  (source) => {
    const changes: Partial<Sources> = { [source]: { ...fine[source], problem: 'Not allowed.' } };
    expect(wordsOf(changes)).toEqual([expect.stringMatching(/^unknown [\w ]+: Not allowed\.$/)]);
  },
);

it('names accounts that were refused, fail, or have not connected yet', () => {
  const accounts = (['new', 'failing', 'refused'] as const).map(account);
  expect(wordsOf({ gmail: answer({ accounts }) }).map((words) => words.split(' ')[0])).toEqual([
    ...['failed', 'failed', 'unknown'],
  ]);
});

it('names a service that is not ready, or has given up webhooks', () => {
  const bad = { ...status, ready: false, reason: 'the disk is full', dead_webhooks: 2 };
  expect(wordsOf({ status: answer(bad) })).toHaveLength(2);
});

it('names a certificate whose renewal has failed several times, with the reason', () => {
  const renewing = (failures: number): Status => {
    const renewal = { failures, failure: { reason: 'port 80 is closed' } };
    return { ...status, certificate: { not_after: null, renewal } };
  };
  expect(wordsOf({ status: answer(renewing(2)) })).toEqual([]);
  expect(wordsOf({ status: answer(renewing(3)) })[0]).toMatch(/certificate.*port 80 is closed/);
});
