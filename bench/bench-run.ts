// What every measurement is handed, and the two things each of them does: run the service on a fresh folder, and
// run service and floor in turns.
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
  /** On which the service keeps everything; undefined where that is a SQLite file. */
  readonly postgres: PostgresServer | undefined;
  /** Tells the person who waits. */
  say(line: string): void;
}

let folders = 0;

/** A folder that no service has used. */
export function freshDataDir(run: BenchRun): string {
  folders += 1;
  return path.join(run.scratch, `data-${folders}`);
}

/** Name of the database that belongs to a data folder. */
export function databaseOf(dataDir: string): string {
  return path.basename(dataDir).replaceAll('-', '_');
}

/** The service on `dataDir`, and on the database that belongs to it. */
export async function startOn(
  run: BenchRun,
  dataDir: string,
  { processes = 1, settings = {} }: Pick<ServicePlace, 'processes' | 'settings'> = {},
): Promise<ServiceProcess> {
  const storeUrl = await run.postgres?.url(databaseOf(dataDir));
  return startService(run.serviceBuild, { dataDir, storeUrl, processes, settings });
}

/** Runs `work` against a service on a data folder, and stops it; a failure shows the end of the service's log. */
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
 * Service, floor, service, floor …: what slows the machine for a while slows both. The first turn of each is thrown
 * away, since code that has just started is not yet compiled.
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

/** `full` messages or seconds, as many as the options ask for; at least `least`. */
export function scaled({ options }: BenchRun, full: number, least: number): number {
  return Math.max(least, Math.round(full * options.scale));
}
