// The answer of an operation, for a view. It is requested when the view opens, when its parameters change, after each
// change, and at intervals while the page is visible.

import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

import { OperationError, type Parameters, readOperation } from '../api/call-operation.ts';
import { describeProblem } from '../texts/describe-problem.ts';

export interface Answered<A> {
  /** The last one; kept while it is asked for anew. */
  readonly answer: A | undefined;
  /** Why there is none, or none that is new; empty otherwise. */
  readonly problem: string;
  readonly reload: () => Promise<void>;
}

export interface AnswerOptions {
  readonly parameters?: Parameters;
  readonly everyMs?: number;
}

const usualMs = 30_000;

export function useAnswer<A>(
  path: string,
  { parameters = {}, everyMs = usualMs }: AnswerOptions = {},
): Answered<A> {
  const [answer, setAnswer] = useState<A>();
  const [problem, setProblem] = useState('');
  const asked = useRef(0);
  const wanted = JSON.stringify(parameters);
  const reload = useCallback(async (): Promise<void> => {
    const number = ++asked.current;
    try {
      const got = await readOperation<A>(path, JSON.parse(wanted) as Parameters);
      // A later question may have been answered first.
      if (number !== asked.current) return;
      setAnswer(() => got);
      setProblem('');
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      if (number === asked.current) setProblem(describeProblem(error));
    }
  }, [path, wanted]);
  useEffect(() => {
    void reload();
    const timer = setInterval(() => {
      if (!document.hidden) void reload();
    }, everyMs);
    return () => {
      // Answers to requests still under way are ignored.
      asked.current += 1;
      clearInterval(timer);
    };
  }, [reload, everyMs]);
  return { answer, problem, reload };
}
