// Room for the large bodies that a listener reads into memory at one time.

import type { FastifyReply, FastifyRequest } from 'fastify';

import { SharedBudget } from '#networks/shared-budget';
import { rateLimited } from '../answers/rate-limited.ts';
import type { Caller } from '../caller.ts';
import { sharesOf } from '#http-parts/connection-limits';

const allBytes = 64 * 1024 * 1024;

export interface LargeBody {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly bytesMax: number;
}

/** Limits them in all, to a quarter of that per client, and to half of it per /24 or /48. */
export class LargeBodies {
  readonly #budget = new SharedBudget(allBytes);

  /** Until the answer is sent or the client is gone. @throws MayflyError rate_limited */
  hold({ address }: Caller, { request, reply, bytesMax }: LargeBody): void {
    const length = Number(request.headers['content-length'] ?? bytesMax);
    const claim = this.#budget.claim(sharesOf(address, allBytes / 4), Math.min(length, bytesMax));
    if (!claim.isHeld) throw rateLimited('Too many large requests are under way.', 1000);
    reply.raw.once('close', claim.release);
  }
}
