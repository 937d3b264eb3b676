// Creates the sessions that a measurement needs, and counts the messages stored in them afterwards. Both use the HTTP
// interface and neither is measured.
import type { Login } from './driver-job.ts';
import { formatRequest, type HttpClient, openHttpClient } from './http-client.ts';

export interface BenchSession {
  readonly email: string;
  readonly token: string;
}

const connections = 20;
const lifetimeSeconds = 86_400;

/**
 * Creates `count` sessions; the n-th, from 0, has the prefix `toPrefix(n)`. `target` is the port, with a key if one is
 * required.
 */
export function createSessions(
  target: number | { readonly port: number; readonly key: string | undefined },
  count: number,
  toPrefix: (index: number) => string,
): Promise<readonly BenchSession[]> {
  const { port, key } = typeof target === 'number' ? { port: target, key: undefined } : target;
  const requests = Array.from({ length: count }, (_, index) =>
    formatRequest('POST', `/create-session?prefix=${toPrefix(index)}&lifetime=${lifetimeSeconds}`, { key }),
  );
  return askAll<BenchSession>(port, requests);
}

export interface CaptureSession extends BenchSession {
  readonly smtp: Login;
}

/** `base`: where the interface is on that port. */
export function createCaptureSessions(
  port: number,
  count: number,
  base = '',
): Promise<readonly CaptureSession[]> {
  const path = `${base}/create-session?capture=1&lifetime=${lifetimeSeconds}`;
  return askAll<CaptureSession>(
    port,
    Array.from({ length: count }, () => formatRequest('POST', path)),
  );
}

/** @throws Error unless the sessions together hold `expected` messages, as counted by `/session` */
export async function checkStored(
  port: number,
  sessions: readonly BenchSession[],
  expected: number,
): Promise<void> {
  const requests = sessions.map(({ token }) => formatRequest('GET', '/session', token));
  const answers = await askAll<{ message_count: number }>(port, requests);
  const stored = answers.reduce((sum, { message_count }) => sum + message_count, 0);
  if (stored !== expected) throw new Error(`${expected} messages were acknowledged, ${stored} are stored.`);
}

/** Sends the requests over several kept connections. @returns the parsed answers in the order of the requests */
async function askAll<Answer>(port: number, requests: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const ask = async (): Promise<void> => {
    const client = openHttpClient(port);
    for (let index = next++; index < requests.length; index = next++) {
      answers[index] = await askFor<Answer>(client, requests[index] ?? '');
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return answers;
}

async function askFor<Answer>(client: HttpClient, request: string): Promise<Answer> {
  const { status, body } = await client.exchange(request);
  if (status !== 200) {
    throw new Error(`${request.split('\r\n', 1).join('')} got ${status}: ${body.slice(0, 300)}`);
  }
  return JSON.parse(body) as Answer;
}
