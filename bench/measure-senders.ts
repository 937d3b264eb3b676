// Measures what a test waits for: a mail sent through a sender's interface until it can be read, one at a time and from
// several workers at once, by the service and by `mayfly dev`, and the whole of `mayfly dev -- true`.
import path from 'node:path';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { finish, readFirstLine, startChild, stopChild } from './child-processes.ts';
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
  run.say(`${mails} mails through Resend’s interface, each until it can be read`);
  const served = await withService(run, { dataDir: freshDataDir(run), settings }, ({ httpPort }) =>
    measureReadable('sender-readable', { compatPort, httpPort, base: '' }, mails),
  );
  run.say(`${mails} mails to mayfly dev, which syncs none`);
  const developed = await withDev(run, (port) =>
    measureReadable('sender-readable-dev', { compatPort: port, httpPort: port, base: '/mayfly' }, mails),
  );
  return [...served, ...developed, await measureCommand(run)];
}

interface Place {
  readonly compatPort: number;
  readonly httpPort: number;
  /** Where Mayfly's own interface is on its port. */
  readonly base: string;
}

async function measureReadable(id: string, place: Place, mails: number): Promise<readonly Figure[]> {
  const [first, ...others] = await createCaptureSessions(place.httpPort, workers + 1, place.base);
  if (!first) throw new Error('No session was created.');
  await sendAndRead(first, place, warmUp);
  const alone = await sendAndRead(first, place, mails);
  const each = Math.ceil(mails / workers);
  const together = await Promise.all(others.map((session) => sendAndRead(session, place, each)));
  const title = place.base === '' ? 'Sent by HTTP until read' : 'The same with mayfly dev';
  return [
    ...toFigures(id, title, 'one worker', alone),
    ...toFigures(`${id}-many`, title, `${workers} workers`, together.flat()),
  ];
}

/** Runs `work` with the port of `mayfly dev`, whose data ends with it. */
async function withDev<Result>(run: BenchRun, work: (port: number) => Promise<Result>): Promise<Result> {
  const child = startChild({
    program: process.execPath,
    args: [path.join(run.serviceBuild, 'main.js'), 'dev', '--json', '--smtp-port', '0', '--http-port', '0'],
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { ...process.env, MP_MAX_MESSAGES: '0' },
  });
  try {
    const line = await readFirstLine(child, 'mayfly dev', '{');
    const [, port] = /"MAYFLY_URL":"http:[^"]*:(\d+)/.exec(line) ?? [];
    if (port === undefined) throw new Error(`Expected the variables of mayfly dev, got: ${line}`);
    return await work(Number(port));
  } finally {
    await stopChild(child);
  }
}

/** Returns the milliseconds from each call to the answer of read-mail. */
async function sendAndRead(
  { token }: CaptureSession,
  { compatPort, httpPort, base }: Place,
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
    const wait = formatRequest('GET', `${base}/wait-mail?timeout=5&after=${after}`, token);
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
  const nothing: number[] = [];
  for (let at = 0; at < runs; at += 1) {
    took.push(await timeNode([path.join(run.serviceBuild, 'main.js'), 'dev', '--', 'true']));
    nothing.push(await timeNode(['--eval', '0']));
  }
  return toFigure({
    id: 'dev-command',
    title: 'mayfly dev -- true',
    shape: `${runs} times, in turns with a Node.js that does nothing`,
    unit: ' ms',
    service: took,
    floor: nothing,
  });
}

/** Returns how many milliseconds Node.js took with the arguments. */
async function timeNode(args: readonly string[]): Promise<number> {
  const startedAt = performance.now();
  const child = startChild({ program: process.execPath, args, stdio: ['ignore', 'ignore', 'pipe'] });
  await finish(child, `node ${args.join(' ')}`, commandMs);
  return performance.now() - startedAt;
}
