// The newest lines of the log in memory, for people who follow it from elsewhere. Given the lines as they are written, so
// nothing is in it that is not in the log; bounded, and each follower too (follow-log.ts).

export const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface LogLine {
  /** Grows by one with each line of this process. */
  readonly number: number;
  readonly level: LogLevel;
  /** One JSON object, without a line end. */
  readonly text: string;
}

export interface LogFeed {
  /** @param line one JSON object, without secrets */
  write(line: string): void;
  /** The newest lines, oldest first. */
  recent(): readonly LogLine[];
  /** Returns a function that ends it. `onLine` must not throw, and must not log. */
  subscribe(onLine: (line: LogLine) => void): () => void;
}

const linesMax = 1000;
const charsMax = 1024 * 1024;
/** A stack may be long. */
const lineMax = 16 * 1024;

export function createLogFeed(): LogFeed {
  let kept: LogLine[] = [];
  let chars = 0;
  let written = 0;
  const followers = new Set<(line: LogLine) => void>();

  /** Several at once, so that the rest is not moved for each line. */
  function dropOldest(): void {
    if (kept.length <= linesMax && chars <= charsMax) return;
    let left = 0;
    const dropped = kept.findIndex(({ text }, at) => {
      left += text.length;
      return at >= linesMax / 10 && chars - left <= charsMax / 2;
    });
    kept = dropped < 0 ? [] : kept.slice(dropped + 1);
    chars = kept.reduce((sum, { text }) => sum + text.length, 0);
  }

  return {
    write(text) {
      written += 1;
      const line = toLine(text, written);
      kept.push(line);
      chars += line.text.length;
      dropOldest();
      for (const onLine of followers) onLine(line);
    },
    recent: () => kept,
    subscribe(onLine) {
      followers.add(onLine);
      return () => {
        followers.delete(onLine);
      };
    },
  };
}

function toLine(given: string, number: number): LogLine {
  const text = given.trimEnd();
  const [, name = ''] = /^\{"level":"([a-z]+)"/.exec(text) ?? [];
  const level = logLevels.find((one) => one === name) ?? (name === 'fatal' ? 'error' : 'info');
  if (text.length <= lineMax) return { number, level, text };
  // Cut within its texts it would be no JSON.
  return { number, level, text: JSON.stringify({ level, event: 'log.long_line', characters: text.length }) };
}
