// A session's events as they happen. An interrupted stream resumes where it broke off, without gaps or repeats.

import { MayflyError, MayflyUnreachable } from './errors.ts';
import type { MessageSummary } from './models.ts';
import { sleep, type Transport } from './transport.ts';
import { toModel } from './to-model.ts';

/**
 * An entry of the session's log. `reset`: the log no longer reaches back to the requested place; list the messages
 * again.
 * Other types may be added.
 */
export interface InboxEvent {
  readonly type:
    | 'message.received'
    | 'message.deleted'
    | 'message.read'
    | 'message.unread'
    | 'session.extended'
    | 'session.expired'
    | 'reset'
    | (string & {});
  /** Place in the log, usable as `after`; undefined for `reset`. */
  readonly id: number | undefined;
  /** Present for `message.received`. */
  readonly message?: MessageSummary;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface EventsOptions {
  /** Id of the last event received, 0 for all; by default only new events. */
  readonly after?: number;
  readonly signal?: AbortSignal;
}

/** Milliseconds of silence after which the connection counts as lost; the service sends something every 25 s. */
const silenceMax = 60_000;
const defaultRetry = 2000;
/** Milliseconds for which an unreachable service is retried. */
const patience = 5 * 60_000;

/**
 * Yields events; ends after `session.expired`.
 * @throws MayflyError when the service refuses the stream; MayflyUnreachable
 */
export async function* streamEvents(
  transport: Transport,
  token: string,
  { after, signal }: EventsOptions,
): AsyncGenerator<InboxEvent, void, undefined> {
  let last = after === undefined ? undefined : String(after);
  let retry = defaultRetry;
  let lostAt = Date.now();
  for (;;) {
    const connection = new AbortController();
    const stop = signal ? AbortSignal.any([signal, connection.signal]) : connection.signal;
    try {
      const response = await transport.send('/events', {
        token,
        patience,
        signal: stop,
        headers: { accept: 'text/event-stream' },
        // Not Last-Event-ID, which a page of another origin may not send.
        parameters: { after: last },
      });
      last = response.headers.get('last-event-id') ?? last;
      for await (const lines of readBlocks(response, connection)) {
        lostAt = Date.now();
        const block = parseLines(lines);
        if (block.retry !== undefined) retry = block.retry;
        if (block.event === undefined) continue;
        if (block.id !== undefined) last = block.id;
        yield toEvent(block.event, block);
        if (block.event === 'session.expired') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof MayflyError || error instanceof MayflyUnreachable) throw error;
      if (Date.now() - lostAt > patience) throw error;
    } finally {
      connection.abort();
    }
    await sleep(retry, signal);
  }
}

interface Block {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: string;
  readonly retry: number | undefined;
}

function toEvent(type: string, { id, data }: Block): InboxEvent {
  const parsed = data === '' ? {} : (toModel(JSON.parse(data)) as Record<string, unknown>);
  const place = id === undefined || id === '' ? undefined : Number(id);
  if (type !== 'message.received') return { type, id: place, data: parsed };
  return { type, id: place, message: parsed as unknown as MessageSummary, data: parsed };
}

/**
 * Yields the lines of each block of an event stream, as defined by the HTML standard (§9.2.6), and comments and retry
 * times alone, since they count at once.
 */
async function* readBlocks(
  response: Response,
  connection: AbortController,
): AsyncGenerator<readonly string[], void, undefined> {
  const reader = response.body?.getReader();
  if (!reader) return;
  const decoder = new TextDecoder();
  let text = '';
  let block: string[] = [];
  try {
    for (;;) {
      const silence = setTimeout(() => {
        connection.abort(new Error('The stream fell silent.'));
      }, silenceMax);
      const { done, value } = await reader.read().finally(() => {
        clearTimeout(silence);
      });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const lines = text.split(/\r?\n/);
      text = lines.pop() ?? '';
      for (const line of lines) {
        if (line.startsWith(':') || line.startsWith('retry:')) yield [line];
        else if (line !== '') block.push(line);
        else {
          yield block;
          block = [];
        }
      }
    }
  } finally {
    // Closes the connection, also when the reader leaves early.
    connection.abort();
  }
}

function parseLines(given: readonly string[]): Block {
  const lines = given.map((line): [string, string] => {
    const at = line.indexOf(':');
    return at === -1 ? [line, ''] : [line.slice(0, at), line.slice(at + 1).replace(/^ /, '')];
  });
  const last = (wanted: string): string | undefined => lines.findLast(([name]) => name === wanted)?.[1];
  const data = lines.filter(([name]) => name === 'data').map(([, value]) => value);
  const retry = Number(last('retry') ?? Number.NaN);
  return {
    event: last('event'),
    id: last('id'),
    data: data.join('\n'),
    retry: Number.isInteger(retry) ? retry : undefined,
  };
}
