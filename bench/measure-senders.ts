// Measures what a test waits for: a mail sent through a sender's interface until it can be read, one at a time and from
// several workers at once, and the whole of `mayfly dev -- true`.
import path from 'node:path';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { finish, startChild } from './child-processes.ts';
import { type Figure, toFigure } from './figure.ts';
import { findFreePort } from './floor-processes.ts';
import { formatRequest, openHttpClient } from './http-client.ts';
import { type CaptureSession, createCaptureSessions } from './sessions.ts';
import { toLatency } from './statistics.ts';

const mailsPerRun = 2000;
const warmUp = 200;
const workers = 8;
const commandRuns = 20;
const commandMs = 30_000;

export async function measureSenders(run: BenchRun): Promise<readonly Figure[]> {
  const compatPort = await findFreePort();
  const settings = { MAYFLY_COMPAT_PORT: String(compatPort) };
  const mails = scaled(run, mailsPerRun, 300);
  const figures = await withService(run, { dataDir: freshDataDir(run), settings }, async ({ httpPort }) => {
    const sessions = await createCaptureSessions(httpPort, workers + 1);
    const ports = { compatPort, httpPort };
    run.say(`${mails} mails through Resend’s interface, each until it can be read`);
    const [first, ...others] = sessions;
    if (!first) throw new Error('No session was created.');
    await sendAndRead(first, ports, warmUp);
    const alone = await sendAndRead(first, ports, mails);
    const each = Math.ceil(mails / workers);
    const together = await Promise.all(others.map((session) => sendAndRead(session, ports, each)));
    return [
      ...toFigures('sender-readable', 'Sent by HTTP until read', 'one worker', alone),
      ...toFigures('sender-readable-many', 'Sent by HTTP until read', `${workers} workers`, together.flat()),
    ];
  });
  return [...figures, await measureCommand(run)];
}

interface Ports {
  readonly compatPort: number;
  readonly httpPort: number;
}

/** Returns the milliseconds from each call to the answer of read-mail. */
async function sendAndRead(
  { token }: CaptureSession,
  { compatPort, httpPort }: Ports,
  count: number,
): Promise<readonly number[]> {
  const [sender, reader] = [openHttpClient(compatPort), openHttpClient(httpPort)];
  const mail = {
    from: 'Shop <a@shop.example>',
    to: 'b@x.example',
    subject: 'Confirm',
    text: 'Your code is 482913.',
  };
  const body = JSON.stringify(mail);
  const head = `POST /emails HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer re_${token}\r\n`;
  const call = `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const took: number[] = [];
  let after = 0;
  for (let sent = 0; sent < count; sent += 1) {
    const startedAt = performance.now();
    const answer = await sender.exchange(call);
    if (answer.status !== 200) throw new Error(`The mail was refused: ${answer.body}`);
    const wait = formatRequest('GET', `/wait-mail?timeout=5&after=${after}`, token);
    const { message } = JSON.parse((await reader.exchange(wait)).body) as { message: { id: number } };
    took.push(performance.now() - startedAt);
    after = message.id;
  }
  sender.close();
  reader.close();
  return took;
}

function toFigures(
  id: string,
  title: string,
  workersShape: string,
  ms: readonly number[],
): readonly Figure[] {
  const latency = toLatency(ms);
  return (['p50', 'p99'] as const).map((name) =>
    toFigure({
      id: `${id}-${name}`,
      title: `${title}, ${name}`,
      shape: `${ms.length} mails through Resend’s interface, ${workersShape}, each read before the next`,
      unit: ' ms',
      service: [latency[name]],
    }),
  );
}

async function measureCommand(run: BenchRun): Promise<Figure> {
  const runs = scaled(run, commandRuns, 5);
  run.say(`mayfly dev -- true, ${runs} times`);
  const took: number[] = [];
  for (let at = 0; at < runs; at += 1) {
    const startedAt = performance.now();
    const args = [path.join(run.serviceBuild, 'main.js'), 'dev', '--', 'true'];
    const child = startChild({ program: process.execPath, args, stdio: ['ignore', 'ignore', 'pipe'] });
    await finish(child, 'mayfly dev -- true', commandMs);
    took.push(performance.now() - startedAt);
  }
  return toFigure({
    id: 'dev-command',
    title: 'mayfly dev -- true',
    shape: `${runs} times, one after another`,
    unit: ' ms',
    service: took,
  });
}
