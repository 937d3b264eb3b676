// The matters that need the operator’s attention, the worst first. Pure: a missing answer is no sign that all is well.
import type { Domain, DomainState, GmailAccount, Status } from '../api/answers.ts';
import { counted, text } from '../texts/text.ts';
import type { Place } from './route.ts';
import type { Answered } from './use-answer.ts';

/** The worst first. `unknown`: could not be checked. */
const ranks = ['failed', 'warning', 'unknown'] as const;

export interface Matter {
  readonly rank: (typeof ranks)[number];
  readonly to: Place;
  readonly words: string;
}

type Asked<A> = Pick<Answered<A>, 'answer' | 'problem'>;

export interface Sources {
  readonly status: Asked<Status>;
  readonly domains: Asked<{ readonly domains: readonly Domain[] }>;
  readonly dns: Asked<{ readonly domains: readonly DomainState[] }>;
  readonly gmail: Asked<{ readonly accounts: readonly GmailAccount[] }>;
}

export interface Findings {
  readonly matters: readonly Matter[];
  /** Whether an answer is still to come. */
  readonly isPending: boolean;
}

export function findMatters({ status, domains, dns, gmail }: Sources): Findings {
  const states = new Map(dns.answer?.domains.map((one) => [one.domain, one]));
  const active = (domains.answer?.domains ?? []).filter((one) => one.active).map(({ domain }) => domain);
  const found = [
    ...(status.answer ? ofStatus(status.answer) : []),
    ...active.flatMap((domain) => ofChecks(states.get(domain))),
    ...(gmail.answer?.accounts ?? []).flatMap(ofAccount),
    ...unanswered('overview', status),
    ...unanswered('domains', domains),
    ...unanswered('domains', dns),
    ...unanswered('gmail', gmail),
  ];
  // Each once, since one of the certificate or the server concerns every domain.
  const matters = found.filter(({ words }, at) => found.findIndex((one) => one.words === words) === at);
  const isChecked = (domain: string): boolean => (states.get(domain)?.state ?? 'pending') !== 'pending';
  return {
    matters: ranks.flatMap((rank) => matters.filter((one) => one.rank === rank)),
    isPending: [status, domains, dns, gmail].some(({ answer }) => !answer) || !active.every(isChecked),
  };
}

/** Fewer failures of a renewal in a row are no matter: the next attempt is minutes away. */
const failuresAlone = 3;

function ofStatus(status: Status): Matter[] {
  const { ready, reason, active_domains: domains, dead_webhooks: dead } = status;
  const { failures = 0, failure } = status.certificate.renewal ?? {};
  const to = (place: Place, words: string): Matter => ({ rank: 'failed', to: place, words });
  return [
    ...(ready ? [] : [to('overview', text('overview.notReady', { reason: reason ?? '' }))]),
    ...(domains > 0 ? [] : [to('domains', text('overview.noDomains'))]),
    ...(failures < failuresAlone
      ? []
      : [to('overview', text('overview.certificate', { reason: failure?.reason ?? '' }))]),
    ...(dead === 0 ? [] : [to('webhooks', counted('overview.deadWebhooks', dead))]),
  ];
}

function ofChecks(domain: DomainState | undefined): Matter[] {
  return (domain?.checks ?? []).flatMap(({ state, detail }) =>
    state === 'ok' ? [] : [{ rank: state, to: 'domains', words: detail }],
  );
}

function ofAccount({ email, state }: GmailAccount): Matter[] {
  switch (state) {
    case 'refused':
      return [{ rank: 'failed', to: 'gmail', words: text('overview.gmailRefused', { email }) }];
    case 'failing':
      return [{ rank: 'failed', to: 'gmail', words: text('overview.gmailFailing', { email }) }];
    case 'new':
      return [{ rank: 'unknown', to: 'gmail', words: text('overview.gmailNew', { email }) }];
    case 'healthy':
    case 'disabled':
      return [];
  }
}

function unanswered(to: Place, { problem }: Asked<unknown>): Matter[] {
  if (problem === '') return [];
  return [
    { rank: 'unknown', to, words: text('overview.unanswered', { place: text(`place.${to}`), problem }) },
  ];
}
