// Measures the time from a signed request with a mail to its answer, after the commit, at a steady pace. The request is
// one of Standard Webhooks, as our worker at Cloudflare makes it.
import { createHmac } from 'node:crypto';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { readFirstLine, startChild } from './child-processes.ts';
import { type Figure, toFigure } from './figure.ts';
import { openHttpClient } from './http-client.ts';
import { domain, serviceSettings } from './service-process.ts';
import { checkStored, createSessions } from './sessions.ts';
import { type Latency, toLatency } from './statistics.ts';

const sessionCount = 200;
const connections = 20;
const perSecond = 200;
const bodyBytes = 4096;

export async function measureInbound(run: BenchRun): Promise<readonly Figure[]> {
  const dataDir = freshDataDir(run);
  return withService(run, dataDir, async ({ httpPort }) => {
    const sessions = await createSessions(httpPort, sessionCount, (index) => `s${index}`);
    const secret = await addRoute(run, dataDir);
    const messages = scaled(run, 6000, 1000);
    const warm = messages >> 2;
    run.say(`Mail by HTTP at ${perSecond} a second`);
    await post(httpPort, secret, { first: 0, messages: warm });
    const times = await post(httpPort, secret, { first: warm, messages });
    await checkStored(httpPort, sessions, warm + messages);
    return toFigures(toLatency(times));
  });
}

/** @returns the key of the route */
async function addRoute(run: BenchRun, dataDir: string): Promise<Buffer> {
  const child = startChild({
    program: process.execPath,
    args: [path.join(run.serviceBuild, 'main.js'), 'inbound', 'add', 'bench', '--from', 'raw'],
    stdio: ['ignore', 'pipe', 'inherit'],
    env: serviceSettings(dataDir),
  });
  const line = await readFirstLine(child, 'inbound add', 'secret: ');
  return Buffer.from(line.replace('secret: whsec_', ''), 'base64');
}

/** @returns the milliseconds of each exchange */
async function post(
  port: number,
  key: Buffer,
  { first, messages }: { readonly first: number; readonly messages: number },
): Promise<readonly number[]> {
  const times: number[] = [];
  let next = first;
  const end = first + messages;
  const drive = async (place: number): Promise<void> => {
    const client = openHttpClient(port);
    const everyMs = (1000 * connections) / perSecond;
    let dueAt = performance.now() + (place * everyMs) / connections;
    for (let index = next++; index < end; index = next++) {
      await delay(Math.max(0, dueAt - performance.now()));
      dueAt += everyMs;
      const request = formatPost(key, index);
      const startedAt = performance.now();
      const { status, body } = await client.exchange(request);
      times.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(`The request got ${status}: ${body.slice(0, 300)}`);
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, (_, place) => drive(place)));
  return times;
}

function formatPost(key: Buffer, index: number): string {
  const envelope = JSON.stringify({ from: 'a@example.org', to: [`s${index % sessionCount}@${domain}`] });
  const text = `${'x'.repeat(74)}\r\n`.repeat(Math.ceil(bodyBytes / 76));
  const body = `${envelope}\nFrom: a@example.org\r\nSubject: mail ${index}\r\n\r\n${text}`;
  const timestamp = Math.floor(Date.now() / 1000);
  const id = `msg_${index}`;
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  const fields = [
    'POST /inbound/bench HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/octet-stream',
    `Content-Length: ${body.length}`,
    `Webhook-Id: ${id}`,
    `Webhook-Timestamp: ${timestamp}`,
    `Webhook-Signature: v1,${signature}`,
  ];
  return `${fields.join('\r\n')}\r\n\r\n${body}`;
}

function toFigures(latency: Latency): readonly Figure[] {
  const shape =
    `4 KB at ${perSecond} a second, ${connections} kept connections, over ${sessionCount} sessions, signed by Standard ` +
    'Webhooks, own driver';
  const names: readonly (keyof Latency)[] = ['p50', 'p99', 'max'];
  return names.map((name) =>
    toFigure({
      id: `inbound-stored-${name}`,
      title: `Mail by HTTP to its answer, ${name}`,
      shape,
      unit: ' ms',
      service: [latency[name]],
    }),
  );
}
