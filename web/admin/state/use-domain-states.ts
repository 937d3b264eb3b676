// The state of every domain's DNS, asked for again soon while something is still being looked up.
import { useEffect } from 'preact/hooks';

import type { DomainState } from '../api/answers.ts';
import { type Answered, useAnswer } from './use-answer.ts';

const soonMs = 2000;

export interface DomainStatesAnswer {
  readonly domains: readonly DomainState[];
}

export function useDomainStates(): Answered<DomainStatesAnswer> {
  const asked = useAnswer<DomainStatesAnswer>('domain-states');
  const { answer, reload } = asked;
  useEffect(() => {
    if (answer?.domains.every(({ state }) => state !== 'pending') ?? true) return undefined;
    const timer = setTimeout(() => void reload(), soonMs);
    return () => {
      clearTimeout(timer);
    };
  }, [answer, reload]);
  return asked;
}
