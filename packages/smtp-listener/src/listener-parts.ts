// The parts common to all connections of a listener, and what a connection asks its owner. Assembled by listen.ts.

import type {
  EngineMessage,
  Refusal,
  RefusedMessage,
  SmtpEngineSettings,
  Step,
} from '../../mail-receiver/src/engine-step.ts';
import type { Reply } from '../../mail-receiver/src/reply.ts';
import type { ReplyTurn } from '../../mail-receiver/src/reply-turn.ts';
import type { SaslLogin } from '../../mail-receiver/src/sasl-exchange.ts';
import type { SmtpEngine } from '../../mail-receiver/src/smtp-engine.ts';
import type { Logger } from '../../telemetry/src/logger.ts';
import type { TlsCertificate } from '../../certificates/src/tls-certificate.ts';
import type { Peer, PeerChecks } from './admission.ts';

export interface ListenerParts<Recipient> extends PeerChecks {
  readonly settings: SmtpEngineSettings & { readonly idleTimeoutSeconds: number };
  /** The settings for peers on loopback. */
  readonly loopbackSettings: () => SmtpEngineSettings;
  readonly createAnswers: (peer: Peer) => Answers<Recipient>;
  readonly tls: TlsCertificate | undefined;
  readonly log: Logger;
  readonly counts: ConnectionCounts;
  /** Called for each connection that is refused. `address`: the peer's, where it is known. */
  readonly onTurnedAway: (reply: Reply, address: string | undefined) => void;
  readonly replyTurn: ReplyTurn;
  /** Called with +1 when a transaction begins, and -1 when its message is handed over or it ends otherwise. */
  readonly onIncoming: (change: 1 | -1) => void;
}

export type Answered<Recipient> = Pick<SmtpEngine<Recipient>, 'answerTransaction' | 'answerBody'>;

/** Answers the steps of one connection's engine. `tls` is version and cipher; null for a plain connection. */
export interface Answers<Recipient> {
  /** The peer's. */
  readonly remoteAddress: string;
  /** Called after each step, to record what the engine refused before a recipient was accepted. */
  follow(early: SmtpEngine<Recipient>['early']): void;
  recordHandshake(outcome: 'done' | 'failed'): void;
  authenticate(login: SaslLogin): Promise<Refusal | undefined>;
  /** Called when the dialogue starts over. */
  clearCredentials(): void;
  /** Returns a promise when the answer is not immediate; the same goes for `answerBody`. */
  answerTransaction(engine: Answered<Recipient>, mailFrom: string | null): Promise<void> | undefined;
  answerBody(engine: Answered<Recipient>, declaredBytes: number): Promise<void> | undefined;
  resolve(
    step: Extract<Step<Recipient>, { kind: 'recipient' }>,
    tls: string | null,
  ): Promise<{ recipient: Recipient } | Refusal>;
  /** Called for a message that is delivered to no recipient. */
  refuse(refused: RefusedMessage<Recipient>, tls: string | null): void;
  /** Stores the message. */
  store(message: EngineMessage<Recipient>, tls: string | null): Promise<Reply>;
  /** Frees what is held for a message. */
  release(): void;
  readonly faults: {
    /** How the connection ends after the reply. */
    readonly end: 'close' | 'drop' | undefined;
    /** Ends a delay early. */
    hurry(): void;
    /** Ends a delay because the peer closed its side. */
    abandon(): void;
  };
}

export interface ConnectionCounts {
  recordConnection(): void;
  recordConnectionRefused(reply: Reply): void;
  /** Counts an accepted connection that was ended for a newcomer. */
  recordEvicted(): void;
  /** Records the time from the end of a message to its reply. */
  recordReceiveTime(ms: number): void;
}
