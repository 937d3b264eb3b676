// Reads a response of /events and passes on its events. Called by live/follow-session.ts. Detects a stream held back
// by a proxy and one that has gone silent; a good one sends something every 25 seconds.
import { ApiError } from '../api/api-error.ts';

/** Far above any event of the service; a longer one is not held in memory. */
const charsMax = 1_000_000;

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

interface EventParser {
  feed(text: string): void;
}

/** Parses by the standard's rules (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). */
function createEventParser(
  onEvent: (event: ServerEvent) => void,
  onRetry: (ms: number) => void,
): EventParser {
  let rest = '';
  let [id, kind, data] = ['', '', ''];
  const readLine = (line: string): void => {
    const [, field = line, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '') {
      // Each line of data ends with a line feed, the last one is cut.
      if (data !== '') onEvent({ kind: kind || 'message', id, data: data.slice(0, -1) });
      [kind, data] = ['', ''];
    } else if (field === 'data') data += `${value}\n`;
    else if (field === 'event') kind = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    // More digits are no sensible time.
    else if (field === 'retry' && /^\d{1,9}$/.test(value)) onRetry(Number(value));
    if (data.length > charsMax) throw new RangeError('event too long');
  };
  return {
    feed(text) {
      // A carriage return at the end may be half of a line's end.
      const lines = (rest + text).split(/\r\n|\n|\r(?!$)/);
      rest = lines.pop() ?? '';
      if (rest.length > charsMax) throw new RangeError('event too long');
      for (const line of lines) readLine(line);
    },
  };
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
