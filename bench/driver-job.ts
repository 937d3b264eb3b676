// The exchange between run.ts and its driver processes: a job on standard input, one line of result on standard
// output. Drivers are separate processes, so that their work and garbage do not affect what they measure.
import { json } from 'node:stream/consumers';

import { type Latency, toLatency } from './statistics.ts';

/** Credentials of a connection. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface SmtpJob {
  readonly port: number;
  readonly connections: number;
  /** Uses a new connection for every message. */
  readonly reconnect: boolean;
  readonly messages: number;
  /** Messages started per second; without it each connection sends as fast as it gets answers. */
  readonly perSecond?: number;
  /** One is drawn for each message, in the same order in every run of a job. */
  readonly recipients: readonly string[];
  /** Body sizes in bytes; one is drawn for each message. */
  readonly bodyBytes: readonly number[];
  /** One per kept connection; absent for connections without authentication. */
  readonly logins?: readonly Login[];
}

export interface HttpJob {
  readonly port: number;
  readonly connections: number;
  /** Complete requests as sent over the wire, used in turn. */
  readonly requests: readonly string[];
  /** Sent once each before measuring, where a run is so short that the driver's own start would show. */
  readonly warmUp?: readonly string[];
  /** How long to repeat the requests; without it each is sent once. */
  readonly seconds?: number;
  /** Over TLS, whatever the certificate. */
  readonly isSecure?: boolean;
}

export interface DriverResult {
  /** Messages answered with 250, or requests answered with 200. Anything else ends the driver. */
  readonly done: number;
  readonly perSecond: number;
  /** SMTP: from end of data to 250. HTTP: from request to answer. */
  readonly latencyMs: Latency;
  /** Share of one core that the driver itself used; near 1 the driver was the bottleneck. */
  readonly driverLoad: number;
}

/** Reads the job written by run.ts, without checking its shape. */
export async function readJob<Job>(): Promise<Job> {
  return (await json(process.stdin)) as Job;
}

/** Runs `work`, which resolves to the latency of each operation, and writes the result. */
export async function reportWork(work: () => Promise<{ latenciesMs: readonly number[] }>): Promise<void> {
  const startedAt = performance.now();
  const cpuBefore = process.cpuUsage();
  const { latenciesMs } = await work();
  const elapsedMs = performance.now() - startedAt;
  const cpu = process.cpuUsage(cpuBefore);
  const result: DriverResult = {
    done: latenciesMs.length,
    perSecond: latenciesMs.length / (elapsedMs / 1000),
    latencyMs: toLatency(latenciesMs),
    driverLoad: (cpu.user + cpu.system) / 1000 / elapsedMs,
  };
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
