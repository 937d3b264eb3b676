// One follower of the log: the lines that it wants and has not taken yet. A slow one loses the oldest, and learns how
// many; so its memory is bounded however much is logged.

import { type LogFeed, type LogLevel, logLevels, type LogLine } from './log-feed.ts';

export interface LogFilter {
  /** The least severe. */
  readonly level: LogLevel;
  /** All must be in the line, in any case. */
  readonly words: readonly string[];
}

export interface Taken {
  readonly lines: readonly LogLine[];
  /** How many were lost before them since the last time. */
  readonly missed: number;
}

export interface LogFollower {
  /** Returns at most so many of the oldest; none when there are none. */
  take(max: number): Taken;
  close(): void;
}

export interface FollowOptions {
  readonly feed: LogFeed;
  readonly filter: LogFilter;
  /** Only lines after it; the recent ones too when it is 0. */
  readonly after: number;
  /** Called when there are lines to take; must not throw, and must not log. */
  readonly onLines: () => void;
}

const waitingMax = 500;
const waitingChars = 512 * 1024;

export function followLog({ feed, filter, after, onLines }: FollowOptions): LogFollower {
  const isWanted = createFilter(filter);
  const waiting: LogLine[] = [];
  let chars = 0;
  let missed = 0;

  function add(line: LogLine): void {
    if (!isWanted(line)) return;
    waiting.push(line);
    chars += line.text.length;
    while (waiting.length > waitingMax || chars > waitingChars) {
      chars -= waiting.shift()?.text.length ?? 0;
      missed += 1;
    }
  }

  for (const line of feed.recent()) if (line.number > after) add(line);
  // The lines before it began are no loss.
  missed = 0;
  const unsubscribe = feed.subscribe((line) => {
    add(line);
    if (waiting.length > 0) onLines();
  });
  return {
    take(max) {
      const lines = waiting.splice(0, max);
      for (const { text } of lines) chars -= text.length;
      const taken = { lines, missed };
      missed = 0;
      return taken;
    },
    close: unsubscribe,
  };
}

function createFilter({ level, words }: LogFilter): (line: LogLine) => boolean {
  const least = logLevels.indexOf(level);
  const wanted = words.map((word) => word.toLowerCase());
  return (line) => {
    if (logLevels.indexOf(line.level) < least) return false;
    if (wanted.length === 0) return true;
    const text = line.text.toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}
