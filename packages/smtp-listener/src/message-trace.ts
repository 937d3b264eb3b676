// Traces the messages of one connection: a span from MAIL to the reply, with child spans. Never receives
// addresses or message content.

import { nameOf, type Reply } from '../../mail-receiver/src/reply.ts';
import type { Span, Stages, Traces } from '../../telemetry/src/traces.ts';

/** A bound far above what any message has. */
const partsMax = 16;

export interface MessageEnd {
  readonly reply: Reply;
  /** Null when nothing was received. */
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

  /** Starts a span at MAIL. An unfinished span before it was not a message and is dropped. */
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

  /** Ends the span; further calls for the same message are ignored. */
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

/** Returns the RFC 3463 code, the reply's second word. */
function enhancedCode(reply: Reply): string {
  return reply.slice(4, reply.indexOf(' ', 4));
}

function outcomeOf(reply: Reply): 'accepted' | 'deferred' | 'refused' {
  if (reply.startsWith('2')) return 'accepted';
  return reply.startsWith('4') ? 'deferred' : 'refused';
}
