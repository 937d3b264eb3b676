// The scenarios of clients/scenarios, which every client passes; README.md there says what the words mean.

import { readdirSync, readFileSync } from 'node:fs';

export interface Scenario {
  readonly name: string;
  /** Of the service, beside the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** The service is restarted: it is not to be shared. */
  readonly restarts?: boolean;
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

const folder = new URL('../../clients/scenarios/', import.meta.url);

/** In order of file and place. */
export function readScenarios(): readonly NamedScenario[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.sort().flatMap((name) => {
    const { scenarios } = JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as {
      scenarios: Scenario[];
    };
    return scenarios.map((scenario) => ({ ...scenario, file: name.replace('.json', '') }));
  });
}

/** Whether a service that others use will not do. */
export function needsItsOwn({ settings, restarts = false }: Scenario): boolean {
  return settings !== undefined || restarts;
}
