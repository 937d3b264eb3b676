// Injects planned faults into one connection: finds the plan that applies, waits as it says, and returns the reply.
// Owned by connection-answers.ts. Mail for more than one session is never touched: at RCPT only a recipient of the
// session with the plan is refused, and later stages apply only to a message for that session alone.

import type { Address } from '#mail-receiver/address';
import type { Refusal } from '#mail-receiver/engine-step';
import { faultReply, replies } from '#mail-receiver/reply';
import { type SessionKey, toKeyText } from '../domain/session.ts';
import { type FaultRule, faultReplyText, type FaultStage } from '../domain/smtp-fault.ts';
import { isSession, type Recipient } from '../service/session/recipient.ts';
import type { SmtpFaults } from '../service/receiving/smtp-faults.ts';

/** Undefined when no fault applies, immediately or after a delay. */
export type FaultAnswer = Promise<Refusal | undefined> | undefined;

type Plans = Pick<SmtpFaults, 'isEmpty' | 'strike' | 'beginDelay' | 'endDelay'>;
interface Given {
  readonly smtpFaults: Plans;
  /** The session whose plan applies to senders that are not authenticated, and to all of AUTH. */
  standingSession(): SessionKey | undefined;
}

export class ConnectionFaults {
  readonly #given: Given;
  readonly #plans: Plans;
  /** The one session that all recipients of the transaction belong to; `others` when there are several. */
  #owner: SessionKey | 'others' | undefined;
  /** The transaction's sender and recipients so far. */
  #subject = '';
  #end: 'close' | 'drop' | undefined;
  #endDelay: ((isGone: boolean) => void) | undefined;

  constructor(given: Given) {
    this.#given = given;
    this.#plans = given.smtpFaults;
  }

  /** How the connection ends after the reply. */
  get end(): 'close' | 'drop' | undefined {
    return this.#end;
  }

  /** Called when the connection has authenticated as the session. */
  async atAuth(key: SessionKey): Promise<Refusal | undefined> {
    const refusal = (await this.#strike(key, 'connect')) ?? (await this.#strike(key, 'auth'));
    if (refusal) return refusal;
    const standing = this.#given.standingSession();
    return standing && toKeyText(standing) !== toKeyText(key) ? this.#strike(standing, 'auth') : undefined;
  }

  /** @param key the session that the connection authenticated as */
  atMail(mailFrom: string | null, key: SessionKey | undefined): FaultAnswer {
    this.#owner = undefined;
    this.#subject = mailFrom ?? '';
    if (this.#plans.isEmpty) return undefined;
    const owner = key ?? this.#given.standingSession();
    return owner && this.#strike(owner, 'mail');
  }

  /** Called for a recipient that would be accepted. */
  atRecipient(recipient: Recipient, address: Address): FaultAnswer {
    if (this.#plans.isEmpty || !isSession(recipient)) return undefined;
    const { key } = recipient;
    const mayHold = this.#owner === undefined || this.#isOwner(key);
    return this.#strike(key, 'rcpt', { mayHold, subject: this.#subject + toLine(address) });
  }

  /** Called once it is accepted. */
  recordRecipient(recipient: Recipient, address: Address): void {
    if (!isSession(recipient)) this.#owner = 'others';
    else if (this.#owner === undefined) this.#owner = recipient.key;
    else if (!this.#isOwner(recipient.key)) this.#owner = 'others';
    if (!this.#plans.isEmpty) this.#subject += toLine(address);
  }

  /** Called at DATA and at the end of the message. */
  atMessage(stage: 'data' | 'end_of_data'): FaultAnswer {
    const owner = this.#owner;
    return owner === undefined || owner === 'others' ? undefined : this.#strike(owner, stage);
  }

  /** Ends a delay early. */
  hurry(): void {
    this.#endDelay?.(false);
  }

  /** Ends a delay because the peer closed its side, most likely after a time-out of its own. */
  abandon(): void {
    this.#endDelay?.(true);
  }

  #isOwner(key: SessionKey): boolean {
    const owner = this.#owner;
    return typeof owner === 'object' && (owner === key || toKeyText(owner) === toKeyText(key));
  }

  #strike(
    key: SessionKey,
    stage: FaultStage,
    given = { mayHold: true, subject: this.#subject },
  ): FaultAnswer {
    if (this.#plans.isEmpty) return undefined;
    const rule = this.#plans.strike(key, { stage, ...given });
    return rule && this.#carryOut(key, rule);
  }

  async #carryOut(key: SessionKey, rule: FaultRule): Promise<Refusal | undefined> {
    const isGone = rule.delayMs > 0 && (await this.#wait(key, rule.delayMs));
    if (isGone) return { refusal: replies.connectionLost };
    if (rule.drops) {
      this.#end = 'drop';
      return { refusal: replies.connectionLost };
    }
    if (rule.code === null) return undefined;
    if (rule.code === 421 || rule.stage === 'connect') this.#end = 'close';
    return { refusal: faultReply(rule.code, faultReplyText(rule, rule.code)) };
  }

  /** Resolves with whether the peer left while waiting. */
  #wait(key: SessionKey, ms: number): Promise<boolean> {
    const plans = this.#plans;
    if (!plans?.beginDelay(key)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (isGone: boolean): void => {
        clearTimeout(timer);
        this.#endDelay = undefined;
        plans.endDelay(key);
        resolve(isGone);
      };
      const timer = setTimeout(end, ms, false);
      this.#endDelay = end;
    });
  }
}

function toLine({ localPart, domain }: Address): string {
  return `\n${localPart}@${domain}`;
}
