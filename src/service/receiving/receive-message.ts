// Delivers one message from a receiving protocol to its sessions. Resolves only after the commit, with the outcome to
// report to the sender. Rejects when nothing was stored (the protocol answers 451).

import { replies, type Reply } from '#mail-receiver/reply';
import type { Traced } from '#telemetry/traces';
import { ownDomainOf } from '../../domain/addresses/capture.ts';
import type { IncomingMessage, MessageMeta } from '../../domain/message.ts';
import { type Session, toKeyText } from '../../domain/session.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { DeliveryOutcome } from '../../store/mail-store.ts';
import type { KeptMessage, OperatorMailbox } from '../../store/operator-mailbox.ts';
import {
  type DeliverDeps,
  deliverToSessions,
  headerOf,
  nextIngestId,
  type SharedMessage,
  toMeta,
} from './deliver-to-sessions.ts';
import { type DmarcRefusalDeps, isRefusedByDmarc } from './dmarc-refusal.ts';
import type { Received } from '../records/recent-deliveries.ts';
import { isSession, type Recipient, type UnknownRecipient } from '../session/recipient.ts';
import { traceFields } from '../session/trace-fields.ts';

/** With this many Received fields a message is considered to be looping. */
const hopsMax = 100;

export interface ReceiveMessageDeps extends DmarcRefusalDeps, DeliverDeps {
  readonly directory: DirectoryStore;
  readonly operatorMailbox: OperatorMailbox;
  /** Called for each message that was discarded for a recipient. */
  readonly onDiscarded: () => void;
  /** Called with the recipients of each stored message. */
  readonly onStored: (recipients: readonly Recipient[]) => void;
  /** Called after the commit of each message that was accepted for a recipient. */
  readonly onReceived: (received: Received) => void;
  /** Our name in the Received field. */
  readonly hostname: string;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
}

type Kind = Exclude<DeliveryOutcome['outcome'], 'duplicate'> | 'discarded';

/** The first of these that applies to a recipient is reported. */
const byPriority = ['full', 'stored', 'discarded'] as const;

export interface ReceiveResult {
  /**
   * `full` when a live recipient was full: nothing was stored for any, because the sender gets one reply for all. Else
   * `stored` when at least one received it; else `discarded` if its domain silently discards mail for unknown
   * recipients; else `ended`. `looping`: it passed through so many hosts that it must be in a loop (RFC 5321 §6.3).
   * `forged`: it is refused by the DMARC policy of its From domain. Nothing was stored in these two cases.
   */
  readonly outcome: Exclude<Kind, 'withheld'> | 'looping' | 'forged';
  /** The message's id in its Received field and in the log. */
  readonly ingestId: string;
  /** Whether it came again: the sessions had a message of this origin. */
  readonly isRepeat?: boolean;
  /** How many sessions were skipped because they had ended since they were accepted as recipients. */
  readonly ended: number;
}

/** Returns the reply to a message that was not delivered, whatever protocol it came by; undefined when it was accepted. */
export function refusalOf(outcome: ReceiveResult['outcome']): Reply | undefined {
  switch (outcome) {
    case 'stored':
    case 'discarded':
      return undefined;
    case 'full':
      return replies.recipientFull;
    case 'ended':
      return replies.unknownRecipient;
    case 'looping':
      return replies.loop;
    case 'forged':
      return replies.dmarcRefused;
  }
}

export async function receiveMessage(
  deps: ReceiveMessageDeps,
  message: Traced<IncomingMessage>,
  recipients: readonly Recipient[],
): Promise<ReceiveResult> {
  const ingestId = nextIngestId();
  if (countReceived(headerOf(message.raw)) >= hopsMax) return { outcome: 'looping', ingestId, ended: 0 };
  const sessions = sessionsOf(recipients);
  const unknownOnes = recipients.filter(isUnknown);
  const domains = (await deps.directory.listDomains()).filter(({ refusesDmarcReject }) => refusesDmarcReject);
  if (domains.length > 0) {
    // Include recipients without a session: a refusal must not reveal which exist.
    const addresses = [
      ...sessions.map(({ address }) => address),
      ...unknownOnes.map(({ unknownAt }) => unknownAt),
    ];
    const isForged = await isRefusedByDmarc(deps, message, { addresses, domains });
    if (isForged) return { outcome: 'forged', ingestId, ended: 0 };
  }
  const meta = toMeta(message, ingestId);
  // Before the sessions, because it can be withdrawn.
  const forOperator = recipients.includes('operator')
    ? await deliverToOperator(deps, message, toOwnMeta(meta, recipients, isOperator))
    : undefined;
  if (forOperator === 'full') return { outcome: 'full', ingestId, ended: 0 };
  // With several recipients each session sees only its own, and the login of its own sender.
  const metaOf =
    recipients.length === 1 && message.login === undefined
      ? meta
      : ({ key }: Session) => {
          const own = toOwnMeta(meta, recipients, (one) => isSession(one) && isSameKey(one.key, key));
          return withLogin(own, message.login, key);
        };
  const { raw, origin } = message;
  const deliver = (): Promise<Outcomes> => deliverOrDiscard(deps, { raw, meta: metaOf, origin }, sessions);
  const { kinds, isRepeat } = await orWithdraw(
    forOperator,
    message.stages ? message.stages.time('commit', deliver) : deliver(),
  );
  if (kinds.includes('full')) return { outcome: 'full', ingestId, ended: 0 };
  const all: Kind[] = [...kinds];
  if (forOperator) all.push('stored');
  if (unknownOnes.length > 0) all.push('discarded');
  if (all.includes('discarded')) deps.onDiscarded();
  const outcome = byPriority.find((kind) => all.includes(kind)) ?? 'ended';
  if (isRepeat) return { outcome, ingestId, isRepeat, ended: 0 };
  if (outcome === 'stored') deps.onStored(recipients);
  const outcomes = outcomesOf(recipients, sessions, kinds);
  deps.onReceived({ meta, sizeBytes: message.raw.sizeBytes, outcomes });
  return { outcome, ingestId, ended: kinds.filter((kind) => kind === 'ended').length };
}

/** Withdraws the operator's copy when the message is stored for no session, and its sender will retry. */
async function orWithdraw(
  forOperator: KeptMessage | undefined,
  delivering: Promise<Outcomes>,
): Promise<Outcomes> {
  let kinds: readonly Kind[] | undefined;
  try {
    const outcomes = await delivering;
    ({ kinds } = outcomes);
    return outcomes;
  } finally {
    // Should that fail too, the operator receives a second copy with the retry.
    if (forOperator && (!kinds || kinds.includes('full'))) await Promise.allSettled([forOperator.withdraw()]);
  }
}

/** Returns the outcome for each recipient; undefined where the session had ended. */
function outcomesOf(
  recipients: readonly Recipient[],
  sessions: readonly Session[],
  kinds: readonly Kind[],
): Received['outcomes'] {
  return recipients.map((recipient) => {
    if (isUnknown(recipient)) return 'discarded';
    if (!isSession(recipient)) return 'accepted';
    const kind = kinds[sessions.findIndex(({ key }) => isSameKey(key, recipient.key))];
    if (kind === 'discarded') return kind;
    return kind === 'stored' ? 'accepted' : undefined;
  });
}

interface Outcomes {
  readonly kinds: readonly Kind[];
  /** Whether all sessions had it. */
  readonly isRepeat: boolean;
}

async function deliverOrDiscard(
  deps: ReceiveMessageDeps,
  message: SharedMessage,
  sessions: readonly Session[],
): Promise<Outcomes> {
  const delivered = await deliverToSessions(deps, message, sessions);
  const isRepeat = delivered.length > 0 && delivered.every((outcome) => outcome === 'duplicate');
  const outcomes = delivered.map(toKind);
  if (!outcomes.includes('ended')) return { kinds: outcomes, isRepeat };
  const discarding = await listDiscarding(deps);
  const kinds = outcomes.map((outcome, at) =>
    outcome === 'ended' && discarding.has(ownDomainOf(sessions[at]?.address ?? '')) ? 'discarded' : outcome,
  );
  return { kinds, isRepeat };
}

/** The session has the message already, or had it. */
function toKind(outcome: DeliveryOutcome['outcome']): Kind {
  return outcome === 'duplicate' ? 'stored' : outcome;
}

/** Lists domains that silently discard mail for unknown recipients, which include sessions that have just ended. */
async function listDiscarding({ directory }: ReceiveMessageDeps): Promise<ReadonlySet<string>> {
  const domains = await directory.listDomains();
  return new Set(domains.filter(({ discardsUnknown }) => discardsUnknown).map(({ name }) => name));
}

function deliverToOperator(
  { operatorMailbox, hostname, now }: ReceiveMessageDeps,
  { raw }: IncomingMessage,
  meta: MessageMeta,
): Promise<KeptMessage | 'full'> {
  const trace = Buffer.from(traceFields(meta, { hostname, at: now() }));
  function* pieces(): Generator<Buffer> {
    yield trace;
    yield* raw.pieces();
  }
  return operatorMailbox.deliver({ sizeBytes: trace.length + raw.sizeBytes, pieces: pieces() });
}

/** Counts the Received fields of a header, up to the limit. */
function countReceived(head: Buffer): number {
  let count = 0;
  // Walks from line to line up to the empty one; every message takes this path.
  for (let at = 0; head[at] !== 13 && count < hopsMax;) {
    const isCandidate = head[at] === 0x52 || head[at] === 0x72;
    if (isCandidate && head.toString('latin1', at, at + 9).toLowerCase() === 'received:') count += 1;
    const lineEnd = head.indexOf(10, at);
    if (lineEnd < 0) break;
    at = lineEnd + 1;
  }
  return count;
}

function isUnknown(recipient: Recipient): recipient is UnknownRecipient {
  return typeof recipient === 'object' && 'unknownAt' in recipient;
}

function isOperator(recipient: Recipient): boolean {
  return recipient === 'operator';
}

function isSameKey(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}

/** Returns metadata with only those recipients that led to the given session or operator. */
function toOwnMeta(
  meta: MessageMeta,
  recipients: readonly Recipient[],
  isOwn: (recipient: Recipient) => boolean,
): MessageMeta {
  const rcptTo = meta.envelope.rcptTo.filter((_, at) => {
    const recipient = recipients[at];
    return recipient !== undefined && isOwn(recipient);
  });
  return { ...meta, envelope: { ...meta.envelope, rcptTo } };
}

function withLogin(meta: MessageMeta, login: IncomingMessage['login'], session: Session['key']): MessageMeta {
  if (!login || !isSameKey(login.session, session)) return meta;
  return { ...meta, source: { ...meta.source, login: login.name } };
}

/** Returns each session once, although two spellings may name the same one. */
function sessionsOf(recipients: readonly Recipient[]): readonly Session[] {
  const sessions = recipients.filter(isSession);
  if (sessions.length < 2) return sessions;
  return [...new Map(sessions.map((session) => [toKeyText(session.key), session])).values()];
}
