// GET /admin/log: the log of this process as Server-Sent Events. Reads only as fast as its client: a slow one misses
// lines, and learns how many.

import type { ServerResponse } from 'node:http';

import type { Answer } from '#http-parts/answer';
import { followLog, type LogFilter, type LogFollower } from '#telemetry/follow-log';
import type { LogFeed } from '#telemetry/log-feed';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { logStream } from '../../operator/log.ts';
import { GivenParameters } from '#http-parts/given-parameters';
import { eventStreamHeaders } from '../operations/event-stream.ts';
import { queryOf } from '../server/serve-operation.ts';

export interface LogStreams {
  /** @throws MayflyError invalid_parameter, too_many_streams */
  open(request: LogRequest): Answer;
  /** Ends all, and admits no more. */
  close(): void;
}

export interface LogRequest {
  /** Path with query, as received. */
  readonly url: string;
  readonly lastEventId: string | undefined;
  /** Whether the reader may still read; asked before anything is sent. */
  readonly isAllowed: () => boolean;
}

const known: ReadonlySet<string> = new Set(Object.keys(logStream.parameters));
const streamsMax = 10;
const heartbeatMs = 25_000;
const linesAtOnce = 50;
/** How long a client may leave data unread before it is cut off. */
const stalledMs = 60_000;

/** @param run distinguishes this process from others, whose lines have other numbers */
export function createLogStreams(feed: LogFeed, run: string): LogStreams {
  const streams = new Set<LogStream>();
  let isClosed = false;
  return {
    open({ url, lastEventId, isAllowed }) {
      const { level = 'debug', words = '' } = new GivenParameters(known, queryOf(url), []).takeAll(
        logStream.parameters,
      );
      if (isClosed || streams.size >= streamsMax) {
        throw new MayflyError('too_many_streams', `The log is followed by ${streamsMax} already; close one.`);
      }
      const filter = { level, words: words.split(/\s+/).filter((word) => word !== '') };
      const [ofRun, number] = (lastEventId ?? '').split('.');
      const after = ofRun === run && /^\d{1,15}$/.test(number ?? '') ? Number(number) : 0;
      return {
        headers: eventStreamHeaders(NaN),
        body: {
          open: () => {
            const stream = new LogStream({ feed, run, filter, after, isAllowed }, () =>
              streams.delete(stream),
            );
            streams.add(stream);
            return (response) => {
              stream.start(response);
            };
          },
        },
      };
    },
    close() {
      isClosed = true;
      for (const stream of [...streams]) stream.end();
    },
  };
}

interface LogStreamOptions extends Pick<LogRequest, 'isAllowed'> {
  readonly feed: LogFeed;
  readonly run: string;
  readonly filter: LogFilter;
  readonly after: number;
}

class LogStream {
  readonly #options: LogStreamOptions;
  readonly #onEnd: () => void;
  #follower: LogFollower | undefined;
  #response: ServerResponse | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #stalled: NodeJS.Timeout | undefined;

  constructor(options: LogStreamOptions, onEnd: () => void) {
    this.#options = options;
    this.#onEnd = onEnd;
  }

  start(response: ServerResponse): void {
    if (response.destroyed) {
      this.#onEnd();
      return;
    }
    this.#response = response;
    response.once('close', () => {
      this.#stop();
    });
    response.on('drain', () => {
      clearTimeout(this.#stalled);
      this.#stalled = undefined;
      this.#send();
    });
    response.write('retry: 2000\n');
    this.#heartbeat = setInterval(() => {
      this.#send();
      if (!response.writableNeedDrain) response.write(':\n');
    }, heartbeatMs);
    const { feed, filter, after } = this.#options;
    this.#follower = followLog({
      feed,
      filter,
      after,
      onLines: () => {
        this.#send();
      },
    });
    this.#send();
  }

  end(): void {
    this.#response?.end();
    this.#stop();
  }

  #send(): void {
    const { isAllowed, run } = this.#options;
    if (!isAllowed()) {
      this.end();
      return;
    }
    while (this.#response && !this.#response.writableNeedDrain) {
      const { lines, missed } = this.#follower?.take(linesAtOnce) ?? { lines: [], missed: 0 };
      if (lines.length === 0 && missed === 0) return;
      const lost = missed > 0 ? `event: missed\ndata: {"count":${missed}}\n\n` : '';
      const texts = lines.map(({ number, text }) => `id: ${run}.${number}\nevent: line\ndata: ${text}\n\n`);
      this.#response.write(`${lost}${texts.join('')}`);
    }
    if (!this.#response) return;
    this.#stalled ??= setTimeout(() => this.#response?.destroy(), stalledMs).unref();
  }

  #stop(): void {
    clearInterval(this.#heartbeat);
    clearTimeout(this.#stalled);
    this.#follower?.close();
    this.#follower = undefined;
    this.#response = undefined;
    this.#onEnd();
  }
}
