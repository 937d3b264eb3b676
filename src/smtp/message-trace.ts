// The span of one message after another on one connection: from MAIL to the reply, with its parts below it. Made by
// smtp-counts.ts where traces are on; told by connection-answers.ts. Must not be told addresses or anything of a message.

import type { Span, Stages, Traces } from '../observe/traces.ts';
import { nameOf, type Reply } from './reply.ts';

/** Far more than a message has; a bound all the same. */
const partsMax = 16;

export interface MessageEnd {
  readonly reply: Reply;
  /** Null when none of it came. */
  readonly sizeBytes: number | null;
  readonly ingestId?: string | undefined;
}

export class MessageTrace implements Stages {
  readonly #traces: Traces;
  readonly #connection: string;
  #startedAt: number | undefined;
  #bodyStartedAt: number | undefined;
  #parts: Span[] = [];

  constructor(traces: Traces, connection: string) {
    this.#traces = traces;
    this.#connection = connection;
  }

  /** MAIL was taken. What was begun before and has not ended was no message. */
  begin(): void {
    this.#startedAt = performance.now();
    this.#bodyStartedAt = undefined;
    this.#parts = [];
  }

  beginBody(): void {
    this.#bodyStartedAt = performance.now();
  }

  endBody(): void {
    if (this.#bodyStartedAt !== undefined) this.#add('body', this.#bodyStartedAt);
    this.#bodyStartedAt = undefined;
  }

  async time<T>(name: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this.#add(name, startedAt);
    }
  }

  /** Once for each message: what is told of one that has ended is passed over. */
  end({ reply, sizeBytes, ingestId }: MessageEnd): void {
    const startedAt = this.#startedAt;
    if (startedAt === undefined) return;
    this.endBody();
    this.#startedAt = undefined;
    this.#traces.record({
      name: 'smtp message',
      kind: 'server',
      startedAt,
      endedAt: performance.now(),
      hasFailed: enhancedCode(reply).startsWith('4.3.'),
      attributes: {
        'mayfly.smtp.connection': this.#connection,
        'mayfly.message': ingestId,
        'mayfly.message.bytes': sizeBytes ?? undefined,
        'mayfly.outcome': outcomeOf(reply),
        'mayfly.reason': reply.startsWith('2') ? undefined : nameOf(reply),
        'smtp.response.code': Number(reply.slice(0, 3)),
        'smtp.response.enhanced_code': enhancedCode(reply),
      },
      children: this.#parts,
    });
    this.#parts = [];
  }

  #add(name: string, startedAt: number): void {
    if (this.#parts.length >= partsMax) return;
    this.#parts.push({ name, kind: 'internal', startedAt, endedAt: performance.now() });
  }
}

/** RFC 3463: of the reply's second word. */
function enhancedCode(reply: Reply): string {
  return reply.slice(4, reply.indexOf(' ', 4));
}

function outcomeOf(reply: Reply): 'accepted' | 'deferred' | 'refused' {
  if (reply.startsWith('2')) return 'accepted';
  return reply.startsWith('4') ? 'deferred' : 'refused';
}
