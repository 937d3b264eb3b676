// Measures how soon a waiting program has the code: from the 250 of a mail to the line printed by the program, for the
// client of each language. The floor is a minimal program with node:http, in the same run.
import type { ChildProcess } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { type Command, finish, startChild, stopChild } from './child-processes.ts';
import { type Figure, toFigure } from './figure.ts';
import type { ServiceProcess } from './service-process.ts';
import { connectSmtp, type SmtpClient, withEndOfData } from './smtp-client.ts';
import { toLatency } from './statistics.ts';

const waitsPerClient = 300;
/** Discarded, since new code is not yet compiled. */
const warmUps = 10;
/** The service is holding the request by the time the mail is sent. */
const heldMs = 10;
const buildLimitMs = 240_000;

/** A program that prints the address of its inbox, then for each code `waiting` and the code. */
interface Waiter {
  readonly name: string;
  readonly child: ChildProcess;
  readonly lines: AsyncIterator<string, undefined>;
  readonly email: string;
  readonly waitsMs: number[];
}

export async function measureClients(run: BenchRun): Promise<readonly Figure[]> {
  const programs = await buildPrograms(run);
  return withService(run, freshDataDir(run), async (service) => {
    run.say('From 250 to the code, by client');
    const waiters: Waiter[] = [];
    for (const [name, command] of Object.entries(programs)) {
      waiters.push(await startWaiter(name, command, service));
    }
    const smtp = await connectSmtp(service.smtpPort);
    const waits = scaled(run, waitsPerClient, 50);
    for (let wait = 0; wait < waits + warmUps; wait += 1) {
      for (const waiter of waiters) {
        const ms = await measureOne(waiter, smtp, 100_000 + wait);
        if (wait >= warmUps) waiter.waitsMs.push(ms);
      }
    }
    await smtp.quit();
    for (const { child } of waiters) await stopChild(child);
    return toFigures(waiters, waits);
  });
}

/** Builds the clients as published, where needed. Paths are relative to the repository, where the benchmark runs. */
async function buildPrograms(run: BenchRun): Promise<Readonly<Record<string, Omit<Command, 'stdio'>>>> {
  run.say('Building the clients');
  const folder = path.join(run.scratch, 'clients');
  mkdirSync(folder, { recursive: true });
  const build = async (program: string, args: readonly string[], cwd = '.'): Promise<void> => {
    const child = startChild({ program, args, cwd, stdio: ['ignore', 'ignore', 'pipe'] });
    await finish(child, program, buildLimitMs);
  };
  await build(process.execPath, ['scripts/build-client.mjs', 'typescript', folder]);
  await build('go', ['build', '-o', `${folder}/wait-for-codes`, './internal/waiter'], 'clients/go');
  const python = path.resolve('node_modules/.test-python/bin/python');
  const env = { PYTHONPATH: path.resolve('clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' };
  const program = 'bench/waiters/wait_for_codes.py';
  return {
    floor: { program: process.execPath, args: ['bench/waiters/ask-plainly.mjs'] },
    TypeScript: {
      program: process.execPath,
      args: ['bench/waiters/wait-for-codes.mjs', `${folder}/dist/index.js`],
    },
    Python: { program: python, args: [program], env },
    'Python, asyncio': { program: python, args: [program, '--async'], env },
    Go: { program: `${folder}/wait-for-codes`, args: [] },
  };
}

async function startWaiter(
  name: string,
  { program, args, env = {} }: Omit<Command, 'stdio'>,
  { httpPort }: ServiceProcess,
): Promise<Waiter> {
  const child = startChild({
    program,
    args,
    env: { ...process.env, ...env, MAYFLY_URL: `http://127.0.0.1:${httpPort}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const reader = createInterface({ input: child.stdout as Readable });
  const lines = reader[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
  const waiter = { name, child, lines, email: '', waitsMs: [] };
  return { ...waiter, email: await nextLine(waiter) };
}

async function nextLine({ name, lines }: Pick<Waiter, 'name' | 'lines'>): Promise<string> {
  const { value } = await lines.next();
  if (value === undefined) throw new Error(`The program of ${name} ended.`);
  return value;
}

async function measureOne(waiter: Waiter, smtp: SmtpClient, code: number): Promise<number> {
  const line = await nextLine(waiter);
  if (line !== 'waiting') throw new Error(`${waiter.name} should print waiting, not ${line}`);
  await delay(heldMs);
  let arrivedAt = 0;
  const arrival = nextLine(waiter).then((line) => {
    arrivedAt = performance.now();
    return line;
  });
  const text = `Subject: Your code\r\n\r\nYour verification code is ${code}.\r\n`;
  await smtp.deliver(waiter.email, withEndOfData(Buffer.from(text)));
  const acknowledgedAt = performance.now();
  const found = await arrival;
  if (found !== String(code)) throw new Error(`${waiter.name} was sent ${code} but found ${found}`);
  return Math.max(0, arrivedAt - acknowledgedAt);
}

function toFigures([floor, ...clients]: readonly Waiter[], waits: number): readonly Figure[] {
  if (!floor) throw new RangeError('The floor is missing.');
  const least = toLatency(floor.waitsMs);
  return clients.flatMap(({ name, waitsMs }) => {
    const latency = toLatency(waitsMs);
    return (['p50', 'p99'] as const).map((share) =>
      toFigure({
        id: `client-code-${share}/${name}`,
        title: `250 to the code in hand, ${name}, ${share}`,
        shape: `${waits} mails, one after the other, to clients in turn; floor: a long poll by node:http`,
        unit: ' ms',
        service: [latency[share]],
        floor: [least[share]],
      }),
    );
  });
}
