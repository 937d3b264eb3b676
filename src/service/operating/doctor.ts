// Examines the whole service for the operator, on demand: everything is looked at once for all who ask within minutes.

import type { ServerFacts } from '#doctor/facts';
import { type Finding, type FindingState, stateOf } from '#doctor/finding';
import type { ProbeMail } from './probe-mail.ts';

export interface DoctorReport {
  /** ms since 1970. */
  readonly checkedAt: number;
  /** The worst of the findings; `ok` only if everything was checked. */
  readonly state: FindingState;
  readonly findings: readonly Finding[];
}

/** Known only to the process that examines itself. */
export type ServiceState = ServerFacts['service'];

export interface Doctor {
  /** @param isFresh whether to look at everything again */
  examine(service: ServiceState, isFresh: boolean): Promise<DoctorReport>;
}

export interface DoctorControl extends Doctor {
  readonly isServing: boolean;
  /** Resolves with undefined where no service runs. */
  openProbes(): Promise<ProbeMail | undefined>;
}

const keptMs = 5 * 60_000;
/** Checks that could not be made are repeated sooner. */
const partialKeptMs = 30_000;

/** @param clock ms since 1970 */
export function createDoctor(
  look: (service: ServiceState) => Promise<readonly Finding[]>,
  clock: () => number = Date.now,
): Doctor {
  let last: DoctorReport | undefined;
  let underWay: Promise<DoctorReport> | undefined;

  async function examineNow(service: ServiceState): Promise<DoctorReport> {
    const findings = await look(service);
    last = { checkedAt: clock(), state: stateOf(findings), findings };
    return last;
  }

  return {
    examine(service, isFresh) {
      const isPartial = last?.findings.some(({ state }) => state === 'unknown') ?? false;
      const ageMs = clock() - (last?.checkedAt ?? -Infinity);
      if (last && !isFresh && ageMs <= (isPartial ? partialKeptMs : keptMs)) return Promise.resolve(last);
      underWay ??= examineNow(service).finally(() => {
        underWay = undefined;
      });
      return underWay;
    },
  };
}
