// Measures check-mail and read-mail over HTTPS against the same service, on a copy of the same mail, over plain HTTP.
import { cpSync } from 'node:fs';
import path from 'node:path';

import { type BenchRun, freshDataDir, scaled, takeTurns, withService } from './bench-run.ts';
import type { DriverResult } from './driver-job.ts';
import { type Figure, toFigure } from './figure.ts';
import { formatRequest } from './http-client.ts';
import { fillMailboxes, type Mailbox, mailboxMessages } from './mailboxes.ts';
import { readCpuSeconds } from './process-cpu.ts';
import { runHttpDriver } from './run-driver.ts';
import type { ServiceProcess } from './service-process.ts';
import { toSpread } from './statistics.ts';

const connections = 20;
const sessions = 20;
const secondsPerRun = 2;

interface Pair {
  readonly secure: ServiceProcess;
  readonly plain: ServiceProcess;
}

/** With the processor time of the service for a request, in µs: the driver has a share in the rate. */
interface Turn extends DriverResult {
  readonly cost: number;
}

export async function measureHttps(run: BenchRun): Promise<readonly Figure[]> {
  const plainDir = freshDataDir(run);
  run.say('Mail for the HTTPS figures');
  const mailboxes = await withService(run, plainDir, (service) => fillMailboxes(service, sessions));
  const secureDir = freshDataDir(run);
  cpSync(plainDir, secureDir, { recursive: true });
  const settings = {
    MAYFLY_HTTP_TLS: 'files',
    // The self-signed one of its first start: P-256, like one from an ACME server.
    MAYFLY_HTTP_TLS_CERT_FILE: path.join(secureDir, 'tls', 'cert.pem'),
    MAYFLY_HTTP_TLS_KEY_FILE: path.join(secureDir, 'tls', 'key.pem'),
    MAYFLY_HTTP_REDIRECT_PORT: 'off',
  };
  return withService(run, { dataDir: secureDir, settings }, (secure) =>
    withService(run, plainDir, async (plain) => {
      const pair = { secure, plain };
      return [
        ...(await measureRequests(run, pair, {
          id: 'https-check-mail',
          title: 'check-mail, HTTPS',
          requests: lists(mailboxes),
        })),
        ...(await measureRequests(run, pair, {
          id: 'https-read-mail',
          title: 'read-mail, again, HTTPS',
          requests: reads(mailboxes),
        })),
      ];
    }),
  );
}

function lists(mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.map(({ token }) => formatRequest('GET', '/check-mail', token));
}

function reads(mailboxes: readonly Mailbox[]): string[] {
  return mailboxes.map(({ token, ids }) => formatRequest('GET', `/read-mail?id=${ids[0] ?? 0}`, token));
}

async function measureRequests(
  run: BenchRun,
  pair: Pair,
  {
    id,
    title,
    requests,
  }: { readonly id: string; readonly title: string; readonly requests: readonly string[] },
): Promise<readonly Figure[]> {
  run.say(title);
  const seconds = scaled(run, secondsPerRun, 0.5);
  const ask =
    ({ httpPort: port, pid }: ServiceProcess, isSecure: boolean) =>
    async (): Promise<Turn> => {
      const before = readCpuSeconds(pid);
      const result = await runHttpDriver({ port, connections, seconds, requests, isSecure });
      return { ...result, cost: ((readCpuSeconds(pid) - before) / result.done) * 1_000_000 };
    };
  const turns = await takeTurns(run.options.rounds, ask(pair.secure, true), ask(pair.plain, false));
  const shape = `${mailboxMessages} messages each, ${sessions} sessions, ${connections} kept connections; floor: plain HTTP`;
  return [
    toFigure({
      id,
      title,
      shape,
      unit: '/s',
      service: turns.service.map(({ perSecond }) => perSecond),
      floor: turns.floor.map(({ perSecond }) => perSecond),
      driverLoad: toSpread(turns.floor.map(({ driverLoad }) => driverLoad)).median,
    }),
    toFigure({
      id: `${id}-cpu`,
      title: `${title}: processor of the service`,
      shape,
      unit: ' µs',
      service: turns.service.map(({ cost }) => cost),
      floor: turns.floor.map(({ cost }) => cost),
    }),
  ];
}
