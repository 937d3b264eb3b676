// The scenarios of clients/scenarios, which every client passes; the README.md there defines the vocabulary.

import { readdirSync, readFileSync } from 'node:fs';

export interface Scenario {
  readonly name: string;
  /** Settings of the service, besides the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Restarts the service, which therefore must not be shared. */
  readonly restarts?: boolean;
  /** Whether it is played against `mayfly dev`. */
  readonly dev?: boolean;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly do: string;
  readonly as?: string;
  readonly in?: string;
  readonly gives?: unknown;
  readonly fails?: {
    readonly type: string;
    readonly status?: number;
    readonly code?: string;
    readonly says?: string[];
  };
  readonly [name: string]: unknown;
}

export interface NamedScenario extends Scenario {
  /** Without `.json`. */
  readonly file: string;
}

const folder = new URL('../../../clients/scenarios/', import.meta.url);

/** In order of file and position. */
export function readScenarios(): readonly NamedScenario[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const { scenarios } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
      scenarios: Scenario[];
    };
    return scenarios.map((scenario) => ({ ...scenario, file: name.replace('.json', '') }));
  });
}

/** Reports whether it cannot use a shared service. */
export function needsItsOwn({ settings, restarts = false, dev = false }: Scenario): boolean {
  return settings !== undefined || restarts || dev;
}
