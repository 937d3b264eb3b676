// Refusals in a dialogue before a recipient was accepted, for the record. Owned by the engine, which notes it;
// its driver takes it after each step.

import type { EarlyRefusal, RefusalStage } from '../engine-step.ts';
import { replies, type Reply } from '../reply.ts';

/** A driver that takes nothing leaves no more than these. */
const keptMax = 100;
const none: readonly EarlyRefusal[] = [];
/** Replies that end a dialogue without refusing anything. */
const harmless: ReadonlySet<Reply> = new Set([replies.connectionLost, replies.shuttingDown]);

const stages: ReadonlyMap<string, RefusalStage> = new Map([
  ['HELO', 'helo'],
  ['EHLO', 'helo'],
  ['STARTTLS', 'tls'],
  ['AUTH', 'auth'],
  ['MAIL', 'mail'],
  ['RCPT', 'rcpt'],
]);

export class EarlyRefusals {
  #verb = '';
  #helo = '';
  #hasServed = false;
  #noted: EarlyRefusal[] = [];

  /** The name that the peer last gave, valid or not; empty before. */
  get helo(): string {
    return this.#helo;
  }

  /** Call for each command before it is answered. */
  begin(verb: string, rest: string): void {
    this.#verb = verb;
    if (verb === 'EHLO' || verb === 'HELO') this.#helo = rest;
  }

  /** Call when a recipient was accepted: how the dialogue ends is of no interest then. */
  serve(): void {
    this.#hasServed = true;
  }

  /** Notes that the last command was refused, and returns the reply. */
  note(reply: Reply, mailFrom?: string | null): Reply {
    this.#add({ stage: stages.get(this.#verb) ?? 'command', reply, mailFrom });
    return reply;
  }

  noteEnd(reply: Reply): void {
    const isRefusal = reply.startsWith('4') || reply.startsWith('5');
    if (isRefusal && !this.#hasServed && !harmless.has(reply)) this.#add({ stage: 'command', reply });
  }

  /** Returns what was noted since the last time. */
  take(): readonly EarlyRefusal[] {
    if (this.#noted.length === 0) return none;
    const taken = this.#noted;
    this.#noted = [];
    return taken;
  }

  #add(refusal: EarlyRefusal): void {
    if (this.#noted.length < keptMax) this.#noted.push(refusal);
  }
}
