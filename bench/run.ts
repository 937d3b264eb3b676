// The benchmark: measures the built service from outside, prints a table, writes build/benchmark/result.json. Started
// by scripts/bench.mjs with the folder of the service's build. Exits with 1 when a target is missed or a measurement
// fails, and always removes its processes and data.
import path from 'node:path';

import type { BenchRun } from './bench-run.ts';
import { describeMachine, writeResult } from './bench-result.ts';
import { killChildren } from './child-processes.ts';
import { joinCitus } from './citus-server.ts';
import { type Figure, isGoodEnough } from './figure.ts';
import { formatTable } from './format-table.ts';
import { measureBuilds } from './measure-builds.ts';
import { measureCapture } from './measure-capture.ts';
import { measureClients } from './measure-clients.ts';
import { measureFelt } from './measure-felt.ts';
import { measureFilled } from './measure-filled.ts';
import { measureFootprint } from './measure-footprint.ts';
import { measureHttp } from './measure-http.ts';
import { measureHttps } from './measure-https.ts';
import { measureInbound } from './measure-inbound.ts';
import { measureLive } from './measure-live.ts';
import { measureLatency } from './measure-latency.ts';
import { measureOperating } from './measure-operating.ts';
import { measurePage } from './measure-page.ts';
import { measureProcesses } from './measure-processes.ts';
import { measureReports } from './measure-reports.ts';
import { measureSenders } from './measure-senders.ts';
import { measureSmtp } from './measure-smtp.ts';
import { type Group, type Options, OptionsEnd, parseOptions } from './options.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { createScratchFolder, removeScratchFolder } from './scratch-folder.ts';

const measure: Readonly<Record<Group, (run: BenchRun) => Promise<readonly Figure[]>>> = {
  smtp: measureSmtp,
  latency: measureLatency,
  http: measureHttp,
  https: measureHttps,
  inbound: measureInbound,
  live: measureLive,
  footprint: measureFootprint,
  felt: measureFelt,
  capture: measureCapture,
  senders: measureSenders,
  clients: measureClients,
  page: measurePage,
  operating: measureOperating,
  processes: measureProcesses,
  reports: measureReports,
  builds: measureBuilds,
  growth: measureFilled,
};
/** Beside the builds; not `bench-…`, the name of the benchmark's own builds, which are pruned. */
const outputName = 'benchmark';
/** Above this load average other programs used the machine too. */
const quietLoad = 0.5;

try {
  const [serviceBuild = '', ...args] = process.argv.slice(2);
  process.exit(await runBench(serviceBuild, parseOptions(args)));
} catch (error) {
  if (error instanceof OptionsEnd) {
    process.stdout.write(error.message);
    process.exit(error.status);
  }
  process.stderr.write(`bench: ${describeError(error)}\n`);
  process.exit(1);
}

/** Formats the error with its chain of causes, and a stack where a bug is likely. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const text = error.constructor === Error ? error.message : String(error.stack);
  return error.cause === undefined ? text : `${text}\n${describeError(error.cause)}`;
}

/** @returns the exit status */
async function runBench(serviceBuild: string, options: Options): Promise<number> {
  const output = path.join(path.dirname(serviceBuild), outputName);
  const startedAt = new Date();
  const machine = describeMachine();
  const scratch = createScratchFolder(output);
  cleanUpAtExit(scratch, options.limitSeconds);
  const postgres = await openDatabases(options, { serviceBuild, scratch });
  const run: BenchRun = {
    postgres,
    options,
    serviceBuild,
    scratch,
    say: (line) => process.stderr.write(`… ${line}\n`),
  };
  const figures: Figure[] = [];
  try {
    for (const group of options.groups) figures.push(...(await measure[group](run)));
  } finally {
    await postgres?.stop();
  }
  const store = options.citusUrl === undefined ? options.store : 'citus';
  const file = path.join(output, store === 'sqlite' ? 'result.json' : `result-${store}.json`);
  // The URL may have a password.
  writeResult(file, { startedAt, options: { ...options, citusUrl: undefined }, machine, figures });
  const missed = figures.filter((figure) => isGoodEnough(figure) === false);
  process.stdout.write(
    `${formatTable(figures)}\n\n` +
      'Medians; in brackets the least and the most. SMTP: after each shape the count of stored messages was right.\n' +
      '* our own driver used 90 % of a core or more here: the floor could do more than it shows.\n' +
      `${machine.cores} × ${machine.processor}, ${machine.system}, Node ${machine.node}, ` +
      `${startedAt.toISOString().slice(0, 10)}\n${path.relative(process.cwd(), file)} has the figures as JSON.\n` +
      (machine.load > quietLoad
        ? `Load ${machine.load.toFixed(1)} before it began: the machine was busy, so these figures are rough.\n`
        : '') +
      (missed.length > 0 ? `Missed: ${missed.map(({ id }) => id).join(', ')}\n` : ''),
  );
  return missed.length > 0 ? 1 : 0;
}

async function openDatabases(
  { store, citusUrl }: Options,
  place: Pick<BenchRun, 'serviceBuild' | 'scratch'>,
): Promise<PostgresServer | undefined> {
  if (citusUrl !== undefined) return joinCitus(citusUrl, place);
  return store === 'postgres' ? startPostgres(path.join(place.scratch, 'postgres')) : undefined;
}

function cleanUpAtExit(scratch: string, limitSeconds: number): void {
  // Also covers uncaught errors and process.exit().
  process.once('exit', () => {
    killChildren();
    removeScratchFolder(scratch);
  });
  // Not `once`: Ctrl-C arrives twice, from the terminal and from scripts/bench.mjs, and must not interrupt the
  // removal.
  process.on('SIGINT', () => process.exit(130));
  process.on('SIGTERM', () => process.exit(143));
  const giveUp = (): never => {
    process.stderr.write(`bench: aborted after ${limitSeconds} s\n`);
    return process.exit(1);
  };
  setTimeout(giveUp, limitSeconds * 1000).unref();
}
