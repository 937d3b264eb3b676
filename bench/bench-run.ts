// The arguments of every measurement, and the two steps common to all: running the service on a new folder, and
// running service and floor in turns.
import path from 'node:path';

import type { Options } from './options.ts';
import type { PostgresServer } from './postgres-server.ts';
import { type ServicePlace, type ServiceProcess, startService } from './service-process.ts';

export interface BenchRun {
  readonly options: Options;
  /** Folder of the service's build. */
  readonly serviceBuild: string;
  /** Folder on a real disk, removed when the benchmark ends. */
  readonly scratch: string;
  /** The database server of the service; undefined for SQLite. */
  readonly postgres: PostgresServer | undefined;
  /** Reports progress to the user. */
  say(line: string): void;
}

let folders = 0;

/** Returns the path of an unused folder. */
export function freshDataDir(run: BenchRun): string {
  folders += 1;
  return path.join(run.scratch, `data-${folders}`);
}

/** Returns the name of the database for a data folder. */
export function databaseOf(dataDir: string): string {
  return path.basename(dataDir).replaceAll('-', '_');
}

/** Starts the service on `dataDir` and its database. */
export async function startOn(
  run: BenchRun,
  dataDir: string,
  place: Omit<ServicePlace, 'dataDir' | 'storeUrl'> & { readonly build?: string } = {},
): Promise<ServiceProcess> {
  const { build = run.serviceBuild, ...rest } = place;
  const storeUrl = await run.postgres?.url(databaseOf(dataDir));
  return startService(build, { dataDir, storeUrl, ...rest });
}

/** Runs `work` against a service on a data folder and stops the service; a failure includes the end of its log. */
export async function withService<Result>(
  run: BenchRun,
  place: string | Pick<ServicePlace, 'dataDir' | 'settings'>,
  work: (service: ServiceProcess) => Promise<Result>,
): Promise<Result> {
  const { dataDir, settings = {} } = typeof place === 'string' ? { dataDir: place } : place;
  const service = await startOn(run, dataDir, { settings });
  try {
    return await work(service);
  } catch (error) {
    throw new Error(`The service's log ends with:\n${service.readLog()}`, { cause: error });
  } finally {
    await service.stop();
  }
}

export interface Turns<Result> {
  readonly service: readonly Result[];
  readonly floor: readonly Result[];
}

/**
 * Runs service, floor, service, floor …, so that what slows the machine for a while slows both. The first turn of each
 * is discarded, since new code is not yet compiled.
 */
export async function takeTurns<Result>(
  rounds: number,
  service: () => Promise<Result>,
  floor: () => Promise<Result>,
): Promise<Turns<Result>> {
  const turns = { service: [] as Result[], floor: [] as Result[] };
  for (let round = 0; round <= rounds; round += 1) {
    const measured = [await service(), await floor()] as const;
    if (round === 0) continue;
    turns.service.push(measured[0]);
    turns.floor.push(measured[1]);
  }
  return turns;
}

/** Scales the full number of messages or seconds by the options, to at least `least`. */
export function scaled({ options }: BenchRun, full: number, least: number): number {
  return Math.max(least, Math.round(full * options.scale));
}
