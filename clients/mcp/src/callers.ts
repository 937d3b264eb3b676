// Callers by API key. Connections with the same key are one caller, so their inboxes are counted together.

import { createHash } from 'node:crypto';

import { Caller, type Service } from './caller.ts';
import { Refusal } from './refusal.ts';

const callersMax = 500;

export class Callers {
  readonly #service: Service;
  /** By the hash of the key; the keys themselves are not kept. */
  readonly #callers = new Map<string, Caller>();

  constructor(service: Service) {
    this.#service = service;
  }

  /** @throws Refusal too_many_callers */
  get(apiKey: string | undefined): Caller {
    const name = createHash('sha256')
      .update(apiKey ?? '')
      .digest('base64');
    const known = this.#callers.get(name);
    if (known) return known;
    if (this.#callers.size >= callersMax) this.#dropIdle();
    if (this.#callers.size >= callersMax) throw new Refusal('too_many_callers');
    const caller = new Caller(this.#service, apiKey);
    this.#callers.set(name, caller);
    return caller;
  }

  #dropIdle(): void {
    for (const [name, caller] of this.#callers) {
      if (caller.isIdle) this.#callers.delete(name);
    }
  }
}
