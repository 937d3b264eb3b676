// Measures what the readers of a running service wait for: from the 250 to a waiting client and to a stream, the first
// list, the first read, its HTML by ticket, many first lists at once of mail that has only just come; and how fast
// sessions are created. Used by measure-builds.ts and measure-felt.ts.
import { type BenchRun, scaled } from './bench-run.ts';
import { htmlMail } from './html-mail.ts';
import { formatRequest, type HttpClient, openHttpClient } from './http-client.ts';
import { openStreams } from './open-streams.ts';
import { runHttpDriver } from './run-driver.ts';
import type { ServiceProcess } from './service-process.ts';
import { type BenchSession, createSessions } from './sessions.ts';
import { connectSmtp, type SmtpClient } from './smtp-client.ts';
import { toLatency } from './statistics.ts';

export type Readable = Pick<ServiceProcess, 'httpPort' | 'smtpPort'>;

/** All but the last in ms, p99. */
export interface Reading {
  readonly wait: number;
  readonly stream: number;
  readonly list: number;
  readonly firstRead: number;
  readonly html: number;
  readonly newLists: number;
  /** Per second. */
  readonly created: number;
}

export const listers = 16;
export const mailsPerLister = 20;

const mailsPerTurn = 300;
const listsPerTurn = 5;
const creatingConnections = 20;
const code = '482913';
const mail = htmlMail(code);
let turns = 0;

/** One turn, on sessions of its own. */
export async function measureReading(run: BenchRun, service: Readable): Promise<Reading> {
  turns += 1;
  const { httpPort, smtpPort } = service;
  const count = scaled(run, mailsPerTurn, 30);
  const sessions = await createSessions(httpPort, 2 * count, (index) => `r${turns}x${index}`);
  const parts = {
    httpPort,
    smtp: await connectSmtp(smtpPort),
    http: openHttpClient(httpPort),
    waiting: openHttpClient(httpPort),
  };
  const seen: Seen[] = [];
  for (let at = 0; at < sessions.length; at += 2) {
    const [awaited, unawaited] = sessions.slice(at, at + 2);
    if (awaited && unawaited) seen.push(await see(parts, { awaited, unawaited }));
  }
  parts.http.close();
  parts.waiting.close();
  await parts.smtp.quit();
  const p99 = (name: keyof Seen): number => toLatency(seen.map((one) => one[name])).p99;
  const newLists: number[] = [];
  for (let time = 0; time < scaled(run, listsPerTurn, 2); time += 1) {
    newLists.push(...(await measureNewLists(service, `l${turns}x${time}x`)));
  }
  const { perSecond: created } = await runHttpDriver({
    port: httpPort,
    connections: creatingConnections,
    seconds: scaled(run, 2, 0.5),
    requests: [formatRequest('POST', '/create-session')],
  });
  return {
    wait: p99('wait'),
    stream: p99('stream'),
    list: p99('list'),
    firstRead: p99('firstRead'),
    html: p99('html'),
    newLists: toLatency(newLists).p99,
    created,
  };
}

type Seen = Readonly<Record<'wait' | 'stream' | 'list' | 'firstRead' | 'html', number>>;

interface Parts {
  readonly httpPort: number;
  readonly smtp: SmtpClient;
  readonly http: HttpClient;
  readonly waiting: HttpClient;
}

async function see(
  { httpPort, smtp, http, waiting }: Parts,
  { awaited, unawaited }: { readonly awaited: BenchSession; readonly unawaited: BenchSession },
): Promise<Seen> {
  const answered = waiting
    .exchange(formatRequest('GET', '/check-mail?wait=30&after=0', awaited.token))
    .then(() => performance.now());
  let noteEvent: (at: number) => void = () => undefined;
  const event = new Promise<number>((resolve) => (noteEvent = resolve));
  const stream = await openStreams(httpPort, [awaited.token], () => {
    noteEvent(performance.now());
  });
  await smtp.deliver(awaited.email, mail);
  const acknowledgedAt = performance.now();
  // Either can arrive before the 250 is read.
  const wait = Math.max(0, (await answered) - acknowledgedAt);
  const streamed = Math.max(0, (await event) - acknowledgedAt);
  stream.close();
  const read = await ask(http, '/read-mail?id=1', awaited.token);
  const { message } = JSON.parse(read.body) as { message: { html_url: string } };
  const html = await ask(http, message.html_url);
  await smtp.deliver(unawaited.email, mail);
  const list = await ask(http, '/check-mail', unawaited.token);
  return { wait, stream: streamed, list: list.ms, firstRead: read.ms, html: html.ms };
}

async function ask(
  http: HttpClient,
  path: string,
  token?: string,
): Promise<{ readonly ms: number; readonly body: string }> {
  const askedAt = performance.now();
  const { status, body } = await http.exchange(formatRequest('GET', path, token));
  const ms = performance.now() - askedAt;
  if (status !== 200 || !body.includes(code)) {
    throw new Error(`${path.split('?', 1).join('')}: ${status} ${body}`);
  }
  return { ms, body };
}

/** Delivers mail to new sessions over a connection each, and then lists all at once. @returns the time of each list */
export async function measureNewLists(
  { httpPort, smtpPort }: Readable,
  prefix: string,
): Promise<readonly number[]> {
  const sessions = await createSessions(httpPort, listers, (index) => `${prefix}${index}`);
  await Promise.all(
    sessions.map(async ({ email }) => {
      const smtp = await connectSmtp(smtpPort);
      for (let count = 0; count < mailsPerLister; count += 1) await smtp.deliver(email, mail);
      await smtp.quit();
    }),
  );
  return listAtOnce(httpPort, sessions);
}

/** Lists the mail of all sessions at once, each over a new connection. @returns the time of each, ms */
export function listAtOnce(httpPort: number, sessions: readonly BenchSession[]): Promise<readonly number[]> {
  return Promise.all(
    sessions.map(async ({ token }) => {
      const http = openHttpClient(httpPort);
      const { ms } = await ask(http, '/check-mail', token);
      http.close();
      return ms;
    }),
  );
}
