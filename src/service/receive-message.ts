// Delivers one message from a receiving protocol to its sessions. Resolves only after the commit, with the outcome to
// report to the sender. Rejects when nothing was stored (the protocol answers 451).

import { ownDomainOf } from '../domain/capture.ts';
import type { IncomingMessage, MessageMeta } from '../domain/message.ts';
import { type Session, toKeyText } from '../domain/session.ts';
import type { Traced } from '../observe/traces.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import type { DeliveryOutcome } from '../store/mail-store.ts';
import type { OperatorMailbox } from '../store/operator-mailbox.ts';
import {
  type DeliverDeps,
  deliverToSessions,
  nextIngestId,
  type SharedMessage,
  toMeta,
} from './deliver-to-sessions.ts';
import { type DmarcRefusalDeps, isRefusedByDmarc } from './dmarc-refusal.ts';
import type { Received } from './recent-deliveries.ts';
import { isSession, type Recipient, type UnknownRecipient } from './resolve-recipient.ts';
import { traceFields } from './trace-fields.ts';

/** With this many Received fields a message is considered to be looping. */
const hopsMax = 100;

export interface ReceiveMessageDeps extends DmarcRefusalDeps, DeliverDeps {
  readonly directory: DirectoryStore;
  readonly operatorMailbox: OperatorMailbox;
  /** Called for each message that was discarded for a recipient. */
  readonly onDiscarded: () => void;
  /** Called with the recipients of each stored message. */
  readonly onStored?: (recipients: readonly Recipient[]) => void;
  /** Called after the commit of each message that was accepted for a recipient. */
  readonly onReceived?: (received: Received) => void;
  /** Our name in the Received field. */
  readonly hostname: string;
}

type Kind = Exclude<DeliveryOutcome['outcome'], 'duplicate'> | 'discarded';

/** The first of these that applies to a recipient is reported. */
const byPriority = ['stored', 'full', 'discarded'] as const;

export interface ReceiveResult {
  /**
   * `stored` when at least one recipient received it; else `full` if one was full; else `discarded` if its domain
   * silently discards mail for unknown recipients; else `ended`. `looping`: it passed through so many hosts that it
   * must be in a loop (RFC 5321 §6.3). `forged`: it is refused by the DMARC policy of its From domain. Nothing was
   * stored in these two cases.
   */
  readonly outcome: Kind | 'looping' | 'forged';
  /** The message's id in its Received field and in the log. */
  readonly ingestId: string;
  /** The sessions that were full, whatever happened for others. */
  readonly full: readonly Session[];
}

export async function receiveMessage(
  deps: ReceiveMessageDeps,
  message: Traced<IncomingMessage>,
  recipients: readonly Recipient[],
): Promise<ReceiveResult> {
  const ingestId = nextIngestId();
  if (countReceived(message.raw.head()) >= hopsMax) return { outcome: 'looping', ingestId, full: [] };
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
    if (isForged) return { outcome: 'forged', ingestId, full: [] };
  }
  const meta = toMeta(message, ingestId);
  // Before the sessions: if either fails the sender retries, and only the operator may receive a second copy.
  const forOperator = recipients.includes('operator')
    ? [await deliverToOperator(deps, message, toOwnMeta(meta, recipients, isOperator))]
    : [];
  // With several recipients each session sees only its own.
  const metaOf =
    recipients.length === 1
      ? meta
      : ({ key }: Session) => toOwnMeta(meta, recipients, (one) => isSession(one) && isSameKey(one.key, key));
  const deliver = (): Promise<Kind[]> => deliverOrDiscard(deps, { raw: message.raw, meta: metaOf }, sessions);
  const kinds = await (message.stages ? message.stages.time('commit', deliver) : deliver());
  kinds.push(...forOperator);
  if (unknownOnes.length > 0) kinds.push('discarded');
  if (kinds.includes('discarded')) deps.onDiscarded();
  const outcome = byPriority.find((kind) => kinds.includes(kind)) ?? 'ended';
  if (outcome === 'stored') deps.onStored?.(recipients);
  if (deps.onReceived) {
    const outcomes = outcomesOf(recipients, { sessions, kinds, forOperator });
    deps.onReceived({ meta, sizeBytes: message.raw.sizeBytes, outcomes });
  }
  const full = kinds.includes('full') ? sessions.filter((_, index) => kinds[index] === 'full') : [];
  return { outcome, ingestId, full };
}

interface Kinds {
  readonly sessions: readonly Session[];
  /** The sessions' come first, in their order. */
  readonly kinds: readonly Kind[];
  readonly forOperator: readonly Kind[];
}

/** Returns the outcome for each recipient; undefined where the message was not accepted. */
function outcomesOf(
  recipients: readonly Recipient[],
  { sessions, kinds, forOperator }: Kinds,
): Received['outcomes'] {
  return recipients.map((recipient) => {
    if (isUnknown(recipient)) return 'discarded';
    const kind = isSession(recipient)
      ? kinds[sessions.findIndex(({ key }) => isSameKey(key, recipient.key))]
      : forOperator[0];
    if (kind === 'discarded') return kind;
    return kind === 'stored' ? 'accepted' : undefined;
  });
}

async function deliverOrDiscard(
  deps: ReceiveMessageDeps,
  message: SharedMessage,
  sessions: readonly Session[],
): Promise<Kind[]> {
  const outcomes = (await deliverToSessions(deps, message, sessions)).map(toKind);
  if (!outcomes.includes('ended')) return outcomes;
  const discarding = await listDiscarding(deps);
  return outcomes.map((outcome, at) =>
    outcome === 'ended' && discarding.has(ownDomainOf(sessions[at]?.address ?? '')) ? 'discarded' : outcome,
  );
}

/** Without an origin there are no duplicates; if there were, the session would have the message. */
function toKind(outcome: DeliveryOutcome['outcome']): Kind {
  return outcome === 'duplicate' ? 'stored' : outcome;
}

/** Lists domains that silently discard mail for unknown recipients, which include sessions that have just ended. */
async function listDiscarding({ directory }: ReceiveMessageDeps): Promise<ReadonlySet<string>> {
  const domains = await directory.listDomains();
  return new Set(domains.filter(({ discardsUnknown }) => discardsUnknown).map(({ name }) => name));
}

function deliverToOperator(
  { operatorMailbox, hostname }: ReceiveMessageDeps,
  { raw }: IncomingMessage,
  meta: MessageMeta,
): Promise<'stored' | 'full'> {
  const trace = Buffer.from(traceFields(meta, { hostname, at: Date.now() }));
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

/** Returns each session once, although two spellings may name the same one. */
function sessionsOf(recipients: readonly Recipient[]): readonly Session[] {
  const sessions = recipients.filter(isSession);
  if (sessions.length < 2) return sessions;
  return [...new Map(sessions.map((session) => [toKeyText(session.key), session])).values()];
}
