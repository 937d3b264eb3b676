// Reads a response of /events piece by piece and hands on its events. Called by live/follow-session.ts. Tells a stream
// that something in between holds back, and one that has gone silent; a good one says something every 25 seconds.
import { ApiError } from '../api/api-error.ts';
import { createSseParser, type ServerEvent } from './sse-parser.ts';

/** The service greets at once; a stream that says nothing is held back by a proxy that waits for its end. */
export class StreamHeldBackError extends Error {}

export interface ReadingOptions {
  readonly onEvent: (event: ServerEvent) => void;
  /** Anything came, comments included. */
  readonly onSign: () => void;
  readonly greetingMs: number;
  readonly silenceMs: number;
}

/**
 * Resolves at the end of the stream with the milliseconds to wait before coming back, undefined when it did not say.
 * @throws StreamHeldBackError; ApiError `network` after silence; TypeError or AbortError when the connection breaks
 */
export async function readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onEvent, onSign, greetingMs, silenceMs }: ReadingOptions,
): Promise<number | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  const parser = createSseParser();
  let isGreeted = false;
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read(), isGreeted ? silenceMs : greetingMs);
      if (done) return parser.retryMs;
      isGreeted = true;
      onSign();
      for (const event of parser.push(value)) onEvent(event);
    }
  } catch (error) {
    // Best effort: the connection may be gone already, and the first error is the one to tell.
    reader.cancel().catch((reason: unknown) => reason);
    if (!(error instanceof DeadlineError)) throw error;
    throw isGreeted ? new ApiError('network', { detail: 'silent' }) : new StreamHeldBackError();
  }
}

class DeadlineError extends Error {}

function withDeadline<T>(promise: Promise<T>, ms: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      reject(new DeadlineError());
    }, ms);
    promise.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
