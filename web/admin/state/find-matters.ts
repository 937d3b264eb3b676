// The matters that need the operator’s attention, the worst first. Pure: a missing answer is no sign that all is well.
import type { DoctorReport, Finding, GmailAccount, Status } from '../api/answers.ts';
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
  readonly doctor: Asked<DoctorReport>;
  readonly gmail: Asked<{ readonly accounts: readonly GmailAccount[] }>;
}

export interface Findings {
  readonly matters: readonly Matter[];
  /** Whether an answer is still to come. */
  readonly isPending: boolean;
}

export function findMatters({ status, doctor, gmail }: Sources): Findings {
  const matters = [
    ...(status.answer ? ofStatus(status.answer) : []),
    ...(doctor.answer?.findings ?? []).flatMap(ofFinding),
    ...(gmail.answer?.accounts ?? []).flatMap(ofAccount),
    ...unanswered('overview', status),
    ...unanswered('overview', doctor),
    ...unanswered('gmail', gmail),
  ];
  return {
    matters: ranks.flatMap((rank) => matters.filter((one) => one.rank === rank)),
    isPending: [status, doctor, gmail].some(({ answer }) => !answer),
  };
}

/** Fewer failures of a renewal in a row are no matter: the next attempt is minutes away. */
const failuresAlone = 3;

function ofStatus(status: Status): Matter[] {
  const { ready, reason, dead_webhooks: dead } = status;
  const { failures = 0, failure } = status.certificate.renewal ?? {};
  const to = (place: Place, words: string): Matter => ({ rank: 'failed', to: place, words });
  return [
    ...(ready ? [] : [to('overview', text('overview.notReady', { reason: reason ?? '' }))]),
    ...(failures < failuresAlone
      ? []
      : [to('overview', text('overview.certificate', { reason: failure?.reason ?? '' }))]),
    ...(dead === 0 ? [] : [to('webhooks', counted('overview.deadWebhooks', dead))]),
  ];
}

/** The two sentences of a finding. */
function ofFinding({ check, state, what, fix }: Finding): Matter[] {
  // Whether it is ready comes with the status, which is newer.
  if (state === 'ok' || check === 'service') return [];
  const to = ofDomain.has(check) ? 'domains' : 'overview';
  return [{ rank: state, to, words: fix === null ? what : `${what} ${fix}` }];
}

/** Checks about which the page of domains says more. */
const ofDomain = new Set(['mx', 'address', 'spf']);

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
