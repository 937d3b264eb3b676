// Follows the log for a view: reads the stream, and opens it again when it ends.

import { useEffect, useState } from 'preact/hooks';

import { type ServerEvent, readEventStream } from '../../src/live/read-event-stream.ts';
import { OperationError, openStream } from '../api/call-operation.ts';
import { describeProblem } from '../texts/describe-problem.ts';
import { addLines, type LogLevel, type LogLine, missedLine, parseLogLine } from './log-lines.ts';

export interface Log {
  /** The newest first. */
  readonly lines: readonly LogLine[];
  readonly isLive: boolean;
  readonly problem: string;
}

export interface LogFilter {
  readonly level: LogLevel;
  readonly words: string;
}

const againMs = 2000;
const greetingMs = 15_000;
const silenceMs = 60_000;
const nothing: Log = { lines: [], isLive: false, problem: '' };

export function useLog({ level, words }: LogFilter): Log {
  const [log, setLog] = useState(nothing);
  useEffect(() => {
    setLog(nothing);
    return followLog({ level, words }, setLog);
  }, [level, words]);
  return log;
}

type Change = (change: (log: Log) => Log) => void;

/** Returns what ends it. */
function followLog(filter: LogFilter, change: Change): () => void {
  const ending = new AbortController();
  let timer = 0;
  let lastId = '';
  let gaps = 0;

  function take({ kind, id, data }: ServerEvent): void {
    lastId = id;
    const line =
      kind === 'missed' ? missedLine(`gap ${(gaps += 1)}`, data, Date.now()) : parseLogLine(id, data);
    if (line) change((log) => ({ ...log, lines: addLines(log.lines, [line]) }));
  }

  async function read(): Promise<void> {
    const body = await openStream('log', { ...filter }, { lastEventId: lastId, signal: ending.signal });
    change((log) => ({ ...log, isLive: true, problem: '' }));
    await readEventStream(body, { onEvent: take, onSign: () => undefined, greetingMs, silenceMs });
  }

  async function readOn(): Promise<void> {
    let problem = '';
    try {
      await read();
    } catch (error) {
      // A broken stream is opened again; only a refusal has a reason.
      if (error instanceof OperationError) problem = describeProblem(error);
    }
    if (ending.signal.aborted) return;
    change((log) => ({ ...log, isLive: false, problem }));
    timer = setTimeout(() => void readOn(), againMs);
  }

  void readOn();
  return () => {
    ending.abort();
    clearTimeout(timer);
  };
}
