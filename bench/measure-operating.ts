// Measures the cost of production settings: ingest and check-mail of a service with keys, limits, logs and metrics on,
// against one with all of them off, in turns. Both run all the time; the other one is idle.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

import { type BenchRun, freshDataDir, scaled, takeTurns } from './bench-run.ts';
import { finish, startChild } from './child-processes.ts';
import { type Figure, toFigure } from './figure.ts';
import { formatRequest } from './http-client.ts';
import { runHttpDriver, runSmtpDriver } from './run-driver.ts';
import { domain, type ServiceProcess, serviceSettings, startService } from './service-process.ts';
import { type BenchSession, checkStored, createSessions } from './sessions.ts';

const sessionCount = 1000;
const messagesPerRun = 15_000;
const smtpConnections = 100;
const httpConnections = 20;
const secondsPerRun = 2;
const warmSessions = 20;
const scrapeMs = 1000;
const ticksPerSecond = 100;
/** Every limit is counted and none is reached. */
const never = '1000000';

const everythingOff = { MAYFLY_LOG_LEVEL: 'error' };
const everythingOn = {
  MAYFLY_LOG_LEVEL: 'info',
  MAYFLY_HTTP_API_KEY_REQUIRED: 'on',
  MAYFLY_LIMITS_RATE: 'on',
  MAYFLY_LIMITS_CREATES_PER_MINUTE: never,
  MAYFLY_LIMITS_CREATES_PER_DAY: never,
  MAYFLY_LIMITS_KEY_CREATES_PER_MINUTE: never,
  MAYFLY_LIMITS_REQUESTS_PER_MINUTE: never,
  MAYFLY_LIMITS_LINK_REQUESTS_PER_MINUTE: never,
  MAYFLY_LIMITS_SESSIONS_PER_ADDRESS: never,
  MAYFLY_LIMITS_SESSION_MESSAGES: never,
  MAYFLY_LIMITS_SESSION_BYTES: '1000000000000',
  MAYFLY_SMTP_CONNECTIONS_PER_ADDRESS_MAX: '1000',
  MAYFLY_SMTP_CONNECTS_PER_MINUTE: never,
  MAYFLY_SMTP_MESSAGES_PER_MINUTE: '10000000',
};

interface Side {
  readonly service: ServiceProcess;
  readonly sessions: readonly BenchSession[];
  acknowledged: number;
  close(): Promise<void>;
}

interface Work {
  readonly perSecond: number;
  /** The service's CPU time per message or request. */
  readonly cpuMicroseconds: number;
}

export async function measureOperating(run: BenchRun): Promise<readonly Figure[]> {
  const on = await openOn(run);
  const off = await openSide(run, everythingOff);
  try {
    run.say('Ingest with keys, limits, logs and metrics on, and off');
    const messages = scaled(run, messagesPerRun, 1000);
    const ingest = await takeTurns(run.options.rounds, sendTo(on, messages), sendTo(off, messages));
    for (const side of [on, off]) {
      await checkStored(side.service.httpPort, side.sessions, side.acknowledged);
    }
    run.say('check-mail with them on, and off');
    const seconds = scaled(run, secondsPerRun, 0.5);
    const check = await takeTurns(run.options.rounds, askOf(on, seconds), askOf(off, seconds));
    const traffic = `4 KB, ${smtpConnections} kept connections over ${sessionCount} sessions`;
    return [
      ...toFigures('ingest', { title: 'SMTP ingest, 4 KB', shape: traffic }, ingest),
      ...toFigures(
        'check-mail',
        { title: 'check-mail', shape: `${httpConnections} kept connections` },
        check,
      ),
    ];
  } finally {
    await Promise.all([on.close(), off.close()]);
  }
}

function toFigures(
  id: string,
  { title, shape }: { readonly title: string; readonly shape: string },
  turns: { readonly service: readonly Work[]; readonly floor: readonly Work[] },
): Figure[] {
  const figure = (kind: string, unit: string, of: (work: Work) => number): Figure =>
    toFigure({
      id: `operating-${id}${kind}`,
      title: `${title}: all on ÷ all off`,
      shape,
      unit,
      service: turns.service.map(of),
      floor: turns.floor.map(of),
    });
  return [
    figure('', '/s', ({ perSecond }) => perSecond),
    figure('-cpu', ' µs CPU', ({ cpuMicroseconds }) => cpuMicroseconds),
  ];
}

/** Uses a key, and reads metrics every second, more often than Prometheus would. */
async function openOn(run: BenchRun): Promise<Side> {
  const dataDir = freshDataDir(run);
  const adminPort = await findFreePort();
  const key = await addKey(run, dataDir);
  const settings = { ...everythingOn, MAYFLY_ADMIN_PORT: String(adminPort) };
  const side = await openSide(run, settings, { dataDir, key });
  let scraping = Promise.resolve();
  const timer = setInterval(() => {
    scraping = scraping.then(async () => {
      const answer = await fetch(`http://127.0.0.1:${adminPort}/metrics`);
      if (!answer.ok) throw new Error(`/metrics answered ${answer.status}.`);
      await answer.text();
    });
  }, scrapeMs);
  return {
    ...side,
    close: async () => {
      clearInterval(timer);
      await scraping;
      await side.close();
    },
  };
}

async function openSide(
  run: BenchRun,
  settings: Readonly<Record<string, string>>,
  { dataDir = freshDataDir(run), key }: { readonly dataDir?: string; readonly key?: string } = {},
): Promise<Side> {
  const service = await startService(run.serviceBuild, { dataDir, settings });
  const sessions = await createSessions(
    { port: service.httpPort, key },
    sessionCount,
    (index) => `s${index}`,
  );
  return { service, sessions, acknowledged: 0, close: () => service.stop() };
}

function sendTo(side: Side, messages: number): () => Promise<Work> {
  const recipients = side.sessions.map((_, index) => `s${index}@${domain}`);
  return async () => {
    const before = readCpuMicroseconds(side.service.pid);
    const { perSecond, done } = await runSmtpDriver({
      port: side.service.smtpPort,
      connections: smtpConnections,
      reconnect: false,
      messages,
      recipients,
      bodyBytes: [4096],
    });
    side.acknowledged += done;
    return { perSecond, cpuMicroseconds: (readCpuMicroseconds(side.service.pid) - before) / done };
  };
}

function askOf(side: Side, seconds: number): () => Promise<Work> {
  const requests = side.sessions
    .slice(0, warmSessions)
    .map(({ token }) => formatRequest('GET', '/check-mail', token));
  return async () => {
    const before = readCpuMicroseconds(side.service.pid);
    const { perSecond, done } = await runHttpDriver({
      port: side.service.httpPort,
      connections: httpConnections,
      seconds,
      requests,
    });
    return { perSecond, cpuMicroseconds: (readCpuMicroseconds(side.service.pid) - before) / done };
  };
}

/** proc(5), /proc/pid/stat: user and system time, all threads. */
function readCpuMicroseconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return ((Number(fields[11]) + Number(fields[12])) / ticksPerSecond) * 1e6;
}

async function addKey(run: BenchRun, dataDir: string): Promise<string> {
  const child = startChild({
    program: process.execPath,
    args: [`${run.serviceBuild}/main.js`, 'key', 'add', 'bench', '--rate', never],
    stdio: ['ignore', 'pipe', 'inherit'],
    env: serviceSettings(dataDir),
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  await finish(child, 'mayfly key add', 30_000);
  return output.split('\n')[0] ?? '';
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}
