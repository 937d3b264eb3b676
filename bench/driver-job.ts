// What run.ts and its driver processes tell each other: a job on standard input, one line of result on standard
// output. A driver is a process of its own so that neither its work nor its garbage counts for what it measures.
import { json } from 'node:stream/consumers';

import { type Latency, toLatency } from './statistics.ts';

/** What a connection authenticates with. */
export interface Login {
  readonly username: string;
  readonly password: string;
}

export interface SmtpJob {
  readonly port: number;
  readonly connections: number;
  /** A new connection for every message instead of kept ones. */
  readonly reconnect: boolean;
  readonly messages: number;
  /** Messages started a second; without it each connection sends as fast as it is answered. */
  readonly perSecond?: number;
  /** One is drawn for each message, the same ones in every run of a job. */
  readonly recipients: readonly string[];
  /** Bytes of the messages' bodies; one is drawn for each message. */
  readonly bodyBytes: readonly number[];
  /** One for each kept connection; absent where they are open to everybody. */
  readonly logins?: readonly Login[];
}

export interface HttpJob {
  readonly port: number;
  readonly connections: number;
  /** Whole requests as they go over the wire, sent in turn. */
  readonly requests: readonly string[];
  /** Sent once each before anything counts, where a run is too short for the driver's own start not to show. */
  readonly warmUp?: readonly string[];
  /** For how long they are repeated; without it each is sent once. */
  readonly seconds?: number;
}

export interface DriverResult {
  /** Messages that got their 250, requests that got their 200. Anything else ends the driver. */
  readonly done: number;
  readonly perSecond: number;
  /** SMTP: end of data to 250. HTTP: request to answer. */
  readonly latencyMs: Latency;
  /** Share of one core that the driver itself used: near 1 it was the brake, not what it measured. */
  readonly driverLoad: number;
}

/** Reads the job that run.ts wrote. It is ours, so its shape is trusted. */
export async function readJob<Job>(): Promise<Job> {
  return (await json(process.stdin)) as Job;
}

/** Runs `work`, which resolves to the waiting time of each thing done, and writes the result. */
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
