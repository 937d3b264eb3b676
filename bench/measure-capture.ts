// Measures capture sessions and the dialects: mail over authenticated connections against mail to ordinary sessions,
// Mailpit's list against the bare server, and the delay until a waiting client of Mailosaur's sees new mail.
import { setTimeout as delay } from 'node:timers/promises';

import { type BenchRun, freshDataDir, scaled, takeTurns, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { toFixedAnswer } from './fixed-answer.ts';
import { findFreePort, startBareServer } from './floor-processes.ts';
import { formatRequest, openHttpClient } from './http-client.ts';
import { runHttpDriver, runSmtpDriver } from './run-driver.ts';
import { multipartMessage } from './sample-message.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { type CaptureSession, checkStored, createCaptureSessions, createSessions } from './sessions.ts';
import { connectSmtp, withEndOfData } from './smtp-client.ts';
import { toLatency, toSpread } from './statistics.ts';

const connections = 100;
const messagesPerRun = 15_000;
const listed = 100;
const listSessions = 10;
const listConnections = 20;
const secondsPerRun = 2;
const waitsPerRun = 200;
/** The service is holding a search by the time the mail is sent. */
const heldMs = 10;

export async function measureCapture(run: BenchRun): Promise<readonly Figure[]> {
  const compatPort = await findFreePort();
  const settings = { MAYFLY_COMPAT_PORT: String(compatPort) };
  return withService(run, { dataDir: freshDataDir(run), settings }, async (service) => [
    await measureIngest(run, service),
    ...(await measureDialects(run, service, compatPort)),
  ]);
}

async function measureIngest(run: BenchRun, service: ServiceProcess): Promise<Figure> {
  run.say('4 KB over connections that authenticated');
  const { httpPort, smtpPort: port } = service;
  const ordinary = await createSessions(httpPort, connections, (index) => `s${index}`);
  const capture = await createCaptureSessions(httpPort, connections);
  const messages = scaled(run, messagesPerRun, 1000);
  const job = { port, connections, reconnect: false, messages, bodyBytes: [4096] };
  const toAnywhere = Array.from({ length: connections }, (_, index) => `s${index}@shop.example`);
  const turns = await takeTurns(
    run.options.rounds,
    () => runSmtpDriver({ ...job, recipients: toAnywhere, logins: capture.map(({ smtp }) => smtp) }),
    () => runSmtpDriver({ ...job, recipients: ordinary.map(({ email }) => email) }),
  );
  const stored = messages * (run.options.rounds + 1);
  await checkStored(httpPort, capture, stored);
  await checkStored(httpPort, ordinary, stored);
  return toFigure({
    id: 'capture-ingest',
    title: 'SMTP ingest, 4 KB, to capture sessions',
    shape: `${connections} kept connections, each authenticated as a session; floor: to ${connections} ordinary sessions`,
    unit: '/s',
    service: turns.service.map(({ perSecond }) => perSecond),
    floor: turns.floor.map(({ perSecond }) => perSecond),
    driverLoad: toSpread(turns.floor.map(({ driverLoad }) => driverLoad)).median,
  });
}

async function measureDialects(
  run: BenchRun,
  service: ServiceProcess,
  compatPort: number,
): Promise<readonly Figure[]> {
  const sessions = await createCaptureSessions(service.httpPort, listSessions + 1);
  const [waiting, ...filled] = sessions;
  if (!waiting) throw new RangeError('No session was created.');
  return [
    await measureList(run, await fill(service, filled), compatPort),
    ...(await measureWait(run, { service, compatPort, waiting })),
  ];
}

/** Delivers as many messages to each session as are listed. */
async function fill(service: ServiceProcess, sessions: readonly CaptureSession[]) {
  const message = withEndOfData(multipartMessage());
  await Promise.all(
    sessions.map(async ({ smtp }) => {
      const client = await connectSmtp(service.smtpPort, smtp);
      for (let sent = 0; sent < listed; sent += 1) await client.deliver('user@shop.example', message);
      await client.quit();
    }),
  );
  return sessions;
}

async function measureList(
  run: BenchRun,
  sessions: readonly CaptureSession[],
  port: number,
): Promise<Figure> {
  run.say('List by Mailpit’s dialect');
  const path = '/api/v1/messages';
  const requests = sessions.map(({ token }) => formatRequest('GET', `${path}?limit=${listed}`, token));
  const client = openHttpClient(port);
  const answer = await client.exchange(requests[0] ?? '');
  client.close();
  const { messages = [] } = JSON.parse(answer.body) as { messages?: readonly unknown[] };
  if (messages.length !== listed) {
    throw new Error(`A list of ${listed} expected: ${answer.body.slice(0, 300)}`);
  }
  const bare = await startBareServer({ [path]: toFixedAnswer(answer) });
  const seconds = scaled(run, secondsPerRun, 0.5);
  const ask = (askedPort: number) => () =>
    runHttpDriver({ port: askedPort, connections: listConnections, seconds, requests });
  const turns = await takeTurns(run.options.rounds, ask(port), ask(bare.port));
  await bare.stop();
  return toFigure({
    id: 'mailpit-list',
    title: 'List by Mailpit’s dialect',
    shape: `unchanged list of ${listed} messages, ${listSessions} sessions in turn, ${listConnections} kept connections, own driver`,
    unit: '/s',
    service: turns.service.map(({ perSecond }) => perSecond),
    floor: turns.floor.map(({ perSecond }) => perSecond),
    driverLoad: toSpread(turns.floor.map(({ driverLoad }) => driverLoad)).median,
  });
}

interface Waiting {
  readonly service: ServiceProcess;
  readonly compatPort: number;
  readonly waiting: CaptureSession;
}

/** Measures from the 250 of a mail to the answer of the waiting search. */
async function measureWait(run: BenchRun, { service, compatPort, waiting }: Waiting): Promise<Figure[]> {
  run.say('A waiting client of Mailosaur’s');
  const smtp = await connectSmtp(service.smtpPort, waiting.smtp);
  const http = openHttpClient(compatPort);
  const message = withEndOfData(multipartMessage());
  const waitsMs: number[] = [];
  const waits = scaled(run, waitsPerRun, 30);
  for (let wait = 0; wait < waits; wait += 1) {
    const recipient = `user${wait}@shop.example`;
    let foundAt = 0;
    const found = searchUntilFound(http, waiting, recipient).then(() => {
      foundAt = performance.now();
    });
    await delay(heldMs);
    await smtp.deliver(recipient, message);
    const acknowledgedAt = performance.now();
    await found;
    waitsMs.push(Math.max(0, foundAt - acknowledgedAt));
  }
  http.close();
  await smtp.quit();
  const latency = toLatency(waitsMs);
  return (['p50', 'p99'] as const).map((name) =>
    toFigure({
      id: `mailosaur-wait-${name}`,
      title: `250 to a waiting client of Mailosaur’s, ${name}`,
      shape: `${waits} mails one after the other, one session at ${domain}`,
      unit: ' ms',
      service: [latency[name]],
    }),
  );
}

async function searchUntilFound(
  http: ReturnType<typeof openHttpClient>,
  { token, smtp }: CaptureSession,
  sentTo: string,
): Promise<void> {
  const body = JSON.stringify({ sentTo });
  const request =
    `POST /api/messages/search?server=${smtp.username} HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
    `Authorization: Basic ${Buffer.from(`${token}:`).toString('base64')}\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (;;) {
    const answer = await http.exchange(request);
    if (answer.status !== 200) throw new Error(`A search got ${answer.status}: ${answer.body.slice(0, 300)}`);
    const { items } = JSON.parse(answer.body) as { items: readonly unknown[] };
    if (items.length > 0) return;
  }
}
