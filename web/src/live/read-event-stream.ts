// Reads a response of /events and passes on its events. Called by live/follow-session.ts. Detects a stream held back
// by a proxy and one that has gone silent; a good one sends something every 25 seconds.
import { createParser, type EventSourceParser } from 'eventsource-parser';

import { ApiError } from '../api/api-error.ts';

/** Far above any event of the service; a longer one is not held in memory. */
const charsMax = 1_000_000;
/** A longer number of digits is not a sensible time. */
const retryMaxMs = 999_999_999;

export interface ServerEvent {
  readonly kind: string;
  /** The last id on the stream, from this event or an earlier one; empty if there was none. */
  readonly id: string;
  readonly data: string;
}

/** The service greets at once; a proxy that waits for the end of the response holds back even the greeting. */
export class StreamHeldBackError extends Error {}

export interface ReadingOptions {
  readonly onEvent: (event: ServerEvent) => void;
  /** Called for any data, comments included. */
  readonly onSign: () => void;
  readonly greetingMs: number;
  readonly silenceMs: number;
}

/**
 * Resolves at the end of the stream with the milliseconds to wait before reconnecting, undefined if not given.
 * @throws StreamHeldBackError; ApiError `network` after silence; RangeError when an event exceeds a million
 * characters; TypeError or AbortError when the connection breaks
 */
export async function readEventStream(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  { onEvent, onSign, greetingMs, silenceMs }: ReadingOptions,
): Promise<number | undefined> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let retryMs: number | undefined;
  const parser = createEventParser(onEvent, (ms) => {
    retryMs = ms;
  });
  let isGreeted = false;
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read(), isGreeted ? silenceMs : greetingMs);
      if (done) return retryMs;
      isGreeted = true;
      onSign();
      parser.feed(value);
    }
  } catch (error) {
    // Best effort: the connection may be gone already, and the first error is the one to report.
    reader.cancel().catch((reason: unknown) => reason);
    if (!(error instanceof DeadlineError)) throw error;
    throw isGreeted ? new ApiError('network', { detail: 'silent' }) : new StreamHeldBackError();
  }
}

function createEventParser(
  onEvent: (event: ServerEvent) => void,
  onRetry: (ms: number) => void,
): EventSourceParser {
  let lastId = '';
  return createParser({
    maxBufferSize: charsMax,
    onEvent({ id = lastId, event = 'message', data }) {
      lastId = id;
      onEvent({ kind: event, id, data });
    },
    onRetry(ms) {
      if (ms <= retryMaxMs) onRetry(ms);
    },
    onError(error) {
      // The other errors concern fields that the standard ignores.
      if (error.type === 'max-buffer-size-exceeded') throw new RangeError('event too long');
    },
  });
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
