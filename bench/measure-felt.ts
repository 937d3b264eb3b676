// What one person waits for on a service that has just started, everything else idle: the first code, the first look
// and the first lists. Each round is a process of its own; beside it the start of `node -e 0`, by which to judge.
import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { formatRequest, openHttpClient } from './http-client.ts';
import { readMemory } from './process-footprint.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { type BenchSession, createSessions } from './sessions.ts';
import { connectSmtp, withEndOfData } from './smtp-client.ts';
import { toLatency } from './statistics.ts';

const fullRounds = 30;
/** Between the loan of a session and its mail, and between mails: long enough for everything that was begun to end. */
const restMs = 3000;
const listers = 16;
const mailsPerLister = 20;
const fullListRounds = 5;

type Felt = Readonly<
  Record<'node' | 'ready' | 'code' | 'look' | 'codeAgain' | 'lookAgain' | 'memory', number>
>;

export async function measureFelt(run: BenchRun): Promise<readonly Figure[]> {
  const rounds = scaled(run, fullRounds, 5);
  run.say(`The first mail of ${rounds} fresh processes`);
  const felt: Felt[] = [];
  for (let round = 0; round < rounds; round += 1) felt.push(await measureRound(run));
  const lists: number[] = [];
  run.say(`${listers} first lists at once`);
  for (let round = 0; round < scaled(run, fullListRounds, 2); round += 1) {
    lists.push(...(await measureLists(run)));
  }
  const of = (name: keyof Felt): number[] => felt.map((one) => one[name]);
  const shape = `${rounds} fresh processes, one session, HTML mail of 12 KB`;
  const figures: readonly [string, string, readonly number[]][] = [
    ['felt-start', 'Start to ready', of('ready')],
    ['felt-first-code', 'First mail: 250 to the waiting client', of('code')],
    ['felt-first-look', 'First read-mail of it', of('look')],
    ['felt-second-code', 'Second mail: 250 to the waiting client', of('codeAgain')],
    ['felt-second-look', 'read-mail of that', of('lookAgain')],
  ];
  const node = of('node');
  return [
    ...figures.flatMap(([id, title, ms]) => toFigures({ id, title, shape }, ms, node)),
    ...toFigures(
      {
        id: 'felt-lists',
        title: `${listers} clients list at once`,
        shape: `${mailsPerLister} unread mails each, just started`,
      },
      lists,
      node,
    ),
    toFigure({
      id: 'felt-memory',
      title: 'Memory, readers ready',
      shape,
      unit: ' MB',
      service: of('memory'),
    }),
  ];
}

/** p50 and p99, each beside the median start of `node -e 0`. */
function toFigures(
  { id, title, shape }: { readonly id: string; readonly title: string; readonly shape: string },
  ms: readonly number[],
  node: readonly number[],
): readonly Figure[] {
  const floor = toLatency([...node]).p50;
  const latency = toLatency([...ms]);
  return (['p50', 'p99'] as const).map((name) =>
    toFigure({
      ...{ id: `${id}-${name}`, title: `${title}, ${name}; floor: node -e 0`, shape, unit: ' ms' },
      service: [latency[name]],
      floor: [floor],
    }),
  );
}

async function measureRound(run: BenchRun): Promise<Felt> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, ['-e', '0']);
  const node = performance.now() - startedAt;
  return withService(run, freshDataDir(run), async (service) => {
    const [session] = await createSessions(service.httpPort, 1, () => 'felt');
    if (session === undefined) throw new Error('No session was lent.');
    const first = await measureMail(service, session, 1);
    const second = await measureMail(service, session, 2);
    const memory = readMemory(service.pid).residentBytes / 1024 / 1024;
    return {
      ...{ node, ready: service.readyMs, code: first.code, look: first.look },
      ...{ codeAgain: second.code, lookAgain: second.look, memory },
    };
  });
}

/** The session's mail with this id, from its 250 on. */
async function measureMail(
  { httpPort, smtpPort }: ServiceProcess,
  { email, token }: BenchSession,
  id: number,
): Promise<{ readonly code: number; readonly look: number }> {
  await delay(restMs);
  const http = openHttpClient(httpPort);
  const smtp = await connectSmtp(smtpPort);
  let acknowledgedAt = Infinity;
  const waiting = http
    .exchange(formatRequest('GET', `/check-mail?wait=30&after=${id - 1}`, token))
    .then((answer) => ({ answer, at: performance.now() }));
  await delay(200);
  await smtp.deliver(email, htmlMail(String(400_000 + id)));
  acknowledgedAt = performance.now();
  const { answer, at } = await waiting;
  if (!answer.body.includes(String(400_000 + id))) throw new Error(`No code came: ${answer.body}`);
  const lookedAt = performance.now();
  const mail = await http.exchange(formatRequest('GET', `/read-mail?id=${id}`, token));
  const look = performance.now() - lookedAt;
  if (mail.status !== 200) throw new Error(`read-mail: ${mail.body}`);
  http.close();
  await smtp.quit();
  // The answer can be here before the 250 is read.
  return { code: Math.max(0, at - acknowledgedAt), look };
}

async function measureLists(run: BenchRun): Promise<readonly number[]> {
  const dataDir = freshDataDir(run);
  const sessions = await withService(run, dataDir, async ({ httpPort, smtpPort }) => {
    const lent = await createSessions(httpPort, listers, (index) => `l${index}`);
    const smtp = await connectSmtp(smtpPort);
    for (let count = 0; count < mailsPerLister; count += 1) {
      for (let index = 0; index < listers; index += 1) {
        await smtp.deliver(`l${index}@${domain}`, htmlMail('482913'));
      }
    }
    await smtp.quit();
    return lent;
  });
  return withService(run, dataDir, ({ httpPort }) =>
    Promise.all(
      sessions.map(async ({ token }) => {
        const http = openHttpClient(httpPort);
        const askedAt = performance.now();
        const { status, body } = await http.exchange(formatRequest('GET', '/check-mail', token));
        if (status !== 200 || !body.includes('482913')) throw new Error(`check-mail: ${status} ${body}`);
        http.close();
        return performance.now() - askedAt;
      }),
    ),
  );
}

/** As a shop sends it: a table of rows with styles and links, and a code. */
function htmlMail(code: string): Buffer {
  const row =
    '<tr><td style="padding:8px;color:#333333"><a href="https://example.org/a">One of our offers</a></td></tr>\r\n';
  return withEndOfData(
    Buffer.from(
      'From: Shop <shop@example.org>\r\nTo: you@example.org\r\nSubject: Your code\r\nMIME-Version: 1.0\r\n' +
        `Content-Type: text/html; charset=utf-8\r\n\r\n<html><body><p>Your verification code is <b>${code}</b></p>\r\n` +
        `<table>\r\n${row.repeat(110)}</table></body></html>\r\n`,
    ),
  );
}
