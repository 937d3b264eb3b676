// What goes wrong on purpose on one connection: finds whose plan decides, waits where it says so, and tells what to
// answer. Owned by connection-answers.ts. Mail for anybody but one capture session is left alone: at RCPT a recipient of
// that session's may be refused, later only a message that is for it alone, and nothing is held up before that.

import type { Address } from '../domain/address.ts';
import { type SessionKey, toKeyText } from '../domain/session.ts';
import { type FaultRule, faultReplyText, type FaultStage } from '../domain/smtp-fault.ts';
import { isSession, type Recipient } from '../service/resolve-recipient.ts';
import type { SmtpFaults } from '../service/smtp-faults.ts';
import type { Refusal } from './engine-step.ts';
import { faultReply, replies } from './reply.ts';

/** Undefined where nothing goes wrong, at once or once it has waited. */
export type FaultAnswer = Promise<Refusal | undefined> | undefined;

type Plans = Pick<SmtpFaults, 'isEmpty' | 'strike' | 'beginDelay' | 'endDelay'>;

export class ConnectionFaults {
  readonly #plans: Plans | undefined;
  /** Of the transaction: the one session that its recipients lead to, `others` when there is anybody else. */
  #owner: SessionKey | 'others' | undefined;
  /** Its sender and recipients, as far as they are known. */
  #subject = '';
  #end: 'close' | 'drop' | undefined;
  #endDelay: ((isGone: boolean) => void) | undefined;

  constructor(plans: Plans | undefined) {
    this.#plans = plans;
  }

  /** How the connection is to end now that the answer was given. */
  get end(): 'close' | 'drop' | undefined {
    return this.#end;
  }

  /** The connection has authenticated as the session. */
  atAuth(key: SessionKey): FaultAnswer {
    const atConnect = this.#strike(key, 'connect');
    if (!atConnect) return this.#strike(key, 'auth');
    return atConnect.then((refusal) => refusal ?? this.#strike(key, 'auth'));
  }

  /** @param key of the session that the connection authenticated as */
  atMail(mailFrom: string | null, key: SessionKey | undefined): FaultAnswer {
    this.#owner = undefined;
    this.#subject = mailFrom ?? '';
    return key && this.#strike(key, 'mail');
  }

  /** Of a recipient that would be accepted. */
  atRecipient(recipient: Recipient, address: Address): FaultAnswer {
    if (!this.#plans || this.#plans.isEmpty || !isSession(recipient)) return undefined;
    const { key } = recipient;
    const mayHold = this.#owner === undefined || this.#isOwner(key);
    return this.#strike(key, 'rcpt', { mayHold, subject: this.#subject + toLine(address) });
  }

  /** It was accepted. */
  noteRecipient(recipient: Recipient, address: Address): void {
    if (!isSession(recipient)) this.#owner = 'others';
    else if (this.#owner === undefined) this.#owner = recipient.key;
    else if (!this.#isOwner(recipient.key)) this.#owner = 'others';
    if (this.#plans?.isEmpty === false) this.#subject += toLine(address);
  }

  /** DATA, or the message at its end. */
  atMessage(stage: 'data' | 'end_of_data'): FaultAnswer {
    const owner = this.#owner;
    return owner === undefined || owner === 'others' ? undefined : this.#strike(owner, stage);
  }

  /** Ends a delay: what was held up goes on. */
  hurry(): void {
    this.#endDelay?.(false);
  }

  /** The peer has closed its side, most likely for want of a reply: what was held up is over. */
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
    if (!this.#plans || this.#plans.isEmpty) return undefined;
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

  /** Resolves with whether the peer has gone meanwhile. */
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
