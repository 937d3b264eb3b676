// One rule of a session's fault plan with its state: how often it fired, which senders it has greylisted, and its
// random sequence. The same seed and dialogues give the same faults.

import type { FaultRule, FaultStage } from '../../domain/smtp-fault.ts';

/** The event of a dialogue that a rule can match. */
export interface FaultEvent {
  readonly stage: FaultStage;
  /** Whether a delay holds up only this session's mail. */
  readonly mayHold: boolean;
  /** Sender and recipients, as far as they are known. */
  readonly subject: string;
}

/** The most subjects remembered; one that is dropped is greylisted again. */
const greylistedMax = 10_000;

export class ArmedRule {
  readonly rule: FaultRule;
  #fired = 0;
  readonly #greylisted = new Set<string>();
  #random: number;

  constructor(rule: FaultRule) {
    this.rule = rule;
    this.#random = rule.seed;
  }

  get fired(): number {
    return this.#fired;
  }

  /** Counts the event if it belongs to the rule's stage; reports whether the rule fires. */
  fires({ stage, mayHold, subject }: FaultEvent): boolean {
    const { rule } = this;
    if (rule.stage !== stage) return false;
    const holds = rule.drops || rule.delayMs > 0 || rule.code === 421;
    if (holds && !mayHold) return false;
    if (this.#roll() >= rule.probability) return false;
    if (rule.first !== null && this.#fired >= rule.first) return false;
    if (rule.isGreylist && !this.#greylist(subject)) return false;
    this.#fired += 1;
    return true;
  }

  /** Reports whether the subject is new. */
  #greylist(subject: string): boolean {
    if (this.#greylisted.has(subject)) return false;
    const [oldest = subject] = this.#greylisted;
    if (this.#greylisted.size >= greylistedMax) this.#greylisted.delete(oldest);
    this.#greylisted.add(subject);
    return true;
  }

  /** Returns a number from 0 up to 100, by mulberry32. */
  #roll(): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * 100;
  }
}
