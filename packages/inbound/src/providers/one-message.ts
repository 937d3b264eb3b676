// The message of a request, which has exactly one. Used by the providers whose body is a form or JSON.

import { malformed } from '../intake.ts';
import type { TextTaker } from '../parse/json-reader.ts';

export class OneMessage {
  readonly #take: (piece: Buffer) => void;
  readonly #complaint: string;
  #hasBegun = false;

  /** @param complaint about a second one */
  constructor(take: (piece: Buffer) => void, complaint: string) {
    this.#take = take;
    this.#complaint = complaint;
  }

  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** @throws InboundRefusal when it has begun already */
  begin(): TextTaker {
    if (this.#hasBegun) throw malformed(this.#complaint);
    this.#hasBegun = true;
    return { take: this.#take, end: () => undefined };
  }
}
