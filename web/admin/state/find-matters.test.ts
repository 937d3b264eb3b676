import { beforeEach, expect, it, vi } from 'vitest';

import type { CheckState, Domain, DomainState, GmailAccount, Status } from '../api/answers.ts';
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

function domain(name: string, active = true): Domain {
  return { domain: name, active } as Domain;
}

function dns(name: string, ...states: readonly CheckState[]): DomainState {
  const checks = states.map((state, at) => ({
    what: 'mx' as const,
    state,
    detail: `${name}: ${at} is ${state}.`,
  }));
  const [state = 'pending'] = states;
  return { domain: name, state, problem: null, checked_at: null, checks };
}

function account(state: GmailAccount['state']): GmailAccount {
  return { email: 'box@mail.example', state } as GmailAccount;
}

const fine: Sources = {
  status: answer(status),
  domains: answer({ domains: [domain('a.test')] }),
  dns: answer({ domains: [dns('a.test', 'ok', 'ok')] }),
  gmail: answer({ accounts: [account('healthy'), account('disabled')] }),
};

/** Each as its rank and its words. */
function wordsOf(changes: Partial<Sources>): string[] {
  return findMatters({ ...fine, ...changes }).matters.map(({ rank, words }) => `${rank} ${words}`);
}

it('finds nothing when everything was checked and is right', () => {
  expect(findMatters(fine)).toEqual({ matters: [], isPending: false });
});

it('names every check that is not right, the worst first, and those of active domains alone', () => {
  const domains = answer({ domains: [domain('a.test'), domain('b.test'), domain('off.test', false)] });
  const states = [
    dns('a.test', 'unknown', 'warning'),
    dns('b.test', 'ok', 'failed', 'warning'),
    dns('off.test', 'failed'),
  ];
  expect(wordsOf({ domains, dns: answer({ domains: states }) })).toEqual([
    'failed b.test: 1 is failed.',
    'warning a.test: 1 is warning.',
    'warning b.test: 2 is warning.',
    'unknown a.test: 0 is unknown.',
  ]);
});

it('names what concerns several domains once', () => {
  const shared = { what: 'tls', state: 'warning', detail: 'It is self-signed.' } as const;
  const states = ['a.test', 'b.test'].map((name) => ({ ...dns(name, 'ok'), checks: [shared] }));
  const domains = answer({ domains: [domain('a.test'), domain('b.test')] });
  expect(wordsOf({ domains, dns: answer({ domains: states }) })).toEqual(['warning It is self-signed.']);
});

it.each<[string, Partial<Sources>]>([
  ['the domains are not known', { domains: { answer: undefined, problem: '' } }],
  ['no state is known', { dns: { answer: undefined, problem: '' } }],
  ['a domain is still being looked up', { dns: answer({ domains: [dns('a.test')] }) }],
  ['a domain was added since', { dns: answer({ domains: [] }) }],
  ['the accounts are not known', { gmail: { answer: undefined, problem: '' } }],
])('has not looked at everything while %s', (_what, changes) => {
  expect(findMatters({ ...fine, ...changes })).toEqual({ matters: [], isPending: true });
});

it.each<keyof Sources>(['status', 'domains', 'dns', 'gmail'])(
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

it('names a service that is not ready, has no domain, or has given up webhooks', () => {
  const bad = { ...status, ready: false, reason: 'the disk is full', active_domains: 0, dead_webhooks: 2 };
  expect(wordsOf({ status: answer(bad) })).toHaveLength(3);
});

it('names a certificate whose renewal has failed several times, with the reason', () => {
  const renewing = (failures: number): Status => {
    const renewal = { failures, failure: { reason: 'port 80 is closed' } };
    return { ...status, certificate: { not_after: null, renewal } };
  };
  expect(wordsOf({ status: answer(renewing(2)) })).toEqual([]);
  expect(wordsOf({ status: answer(renewing(3)) })[0]).toMatch(/certificate.*port 80 is closed/);
});
