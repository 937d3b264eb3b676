// Measures what one person waits for on an idle service that has just started: the first code, the first message, the
// first lists, and all of it in a browser. Each round is a new process, next to the start of `node -e 0` for
// comparison.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { type BenchRun, freshDataDir, scaled, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { htmlMail } from './html-mail.ts';
import { formatRequest, openHttpClient } from './http-client.ts';
import { type Chain, launchBrowser, openChain } from './measure-chain.ts';
import { readCpuSeconds } from './process-cpu.ts';
import { listAtOnce, listers, mailsPerLister, measureNewLists } from './measure-reading.ts';
import { readMemory } from './process-footprint.ts';
import { domain, type ServiceProcess } from './service-process.ts';
import { type BenchSession, createSessions } from './sessions.ts';
import { connectSmtp } from './smtp-client.ts';
import { toLatency } from './statistics.ts';

const fullRounds = 30;
/**
 * Five minutes without mail, shortened: idle threads end after a second instead of half a minute and more, and the
 * pause before each mail is three times that.
 */
const rested = { settings: { MAYFLY_PARSE_IDLE_SECONDS: '1' }, ms: 3000 } as const;
const millisecondsPerSecond = 1000;

type Felt = Readonly<
  Record<
    | ('node' | 'ready' | 'readyCpu' | 'code' | 'look' | 'restedCode' | 'restedLook')
    | ('idleMemory' | 'memory' | 'usedMemory'),
    number
  >
>;

export async function measureFelt(run: BenchRun): Promise<readonly Figure[]> {
  const rounds = scaled(run, fullRounds, 5);
  run.say(`The first mail of ${rounds} fresh processes`);
  const felt: Felt[] = [];
  for (let round = 0; round < rounds; round += 1) felt.push(await measureRound(run));
  run.say(`${listers} first lists at once, ${rounds} times`);
  const lists = await measureLists(run, rounds);
  const newLists: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const list = (service: ServiceProcess): Promise<readonly number[]> => measureNewLists(service, 'n');
    newLists.push(...(await withService(run, freshDataDir(run), list)));
  }
  run.say(`The first mail in a page, ${rounds} times`);
  const chains = await measureChains(run, rounds);
  const of = (name: keyof Felt): number[] => felt.map((one) => one[name]);
  const shape = `${rounds} fresh processes, one session, HTML mail of 12 KB`;
  const inPage = `${rounds} fresh processes, a page open in Chromium, HTML mail of 12 KB`;
  const cold = chains.map((chain) => chain.cold);
  const warm = chains.flatMap((chain) => chain.warm);
  const waits: readonly [string, string, readonly number[], string?][] = [
    ['felt-start', 'Start to ready', of('ready')],
    ['felt-start-cpu', 'Start to ready, processor time', of('readyCpu')],
    ['felt-first-code', 'First mail: 250 to the waiting client', of('code')],
    ['felt-first-look', 'First read-mail of it', of('look')],
    ['felt-rested-code', 'After rest: 250 to the waiting client', of('restedCode')],
    ['felt-rested-look', 'After rest: first read-mail of it', of('restedLook')],
    [
      'felt-lists',
      `${listers} clients list at once`,
      lists,
      `${mailsPerLister} unread mails each, here for 3 s before the restart, ${rounds} starts`,
    ],
    [
      'felt-new-lists',
      `${listers} clients list at once what has just come`,
      newLists,
      `${mailsPerLister} unread mails each, to all at once and listed at once, ${rounds} starts`,
    ],
    ...toChainWaits('cold', cold, inPage),
    ...toChainWaits('warm', warm, inPage),
  ];
  const node = of('node');
  const memory = (id: string, title: string, name: keyof Felt): Figure =>
    toFigure({ id, title, shape, unit: ' MB', service: of(name) });
  return [
    ...waits.flatMap(([id, title, ms, own = shape]) => toFigures({ id, title, shape: own }, ms, node)),
    memory('felt-memory-idle', 'Memory, just started, no session', 'idleMemory'),
    memory('felt-memory', 'Memory, readers ready', 'memory'),
    memory('felt-memory-used', 'Memory, after two mails read', 'usedMemory'),
  ];
}

function toChainWaits(
  name: 'cold' | 'warm',
  chains: readonly Chain[],
  shape: string,
): readonly [string, string, readonly number[], string][] {
  const of = (what: keyof Chain): number[] => chains.map((chain) => chain[what]);
  const which = name === 'cold' ? 'first mail' : 'later mails';
  return [
    [`felt-chain-${name}-code`, `In the page, ${which}: 250 to the code listed`, of('code'), shape],
    [`felt-chain-${name}-text`, `In the page, ${which}: 250 to the mail open`, of('text'), shape],
    [`felt-chain-${name}-html`, `In the page, ${which}: 250 to its HTML painted`, of('html'), shape],
  ];
}

/** Makes p50 and p99, each next to the median start of `node -e 0`. */
function toFigures(
  { id, title, shape }: { readonly id: string; readonly title: string; readonly shape: string },
  ms: readonly number[],
  node: readonly number[],
): readonly Figure[] {
  const floor = toLatency([...node]).p50;
  const latency = toLatency([...ms]);
  return (['p50', 'p99'] as const).map((name) =>
    toFigure({
      id: `${id}-${name}`,
      title: `${title}, ${name}; floor: node -e 0`,
      shape,
      unit: ' ms',
      service: [latency[name]],
      floor: [floor],
    }),
  );
}

async function measureRound(run: BenchRun): Promise<Felt> {
  const startedAt = performance.now();
  await promisify(execFile)(process.execPath, ['-e', '0']);
  const node = performance.now() - startedAt;
  const measure = async (service: ServiceProcess): Promise<Felt> => {
    const readyCpu = readCpuSeconds(service.pid) * millisecondsPerSecond;
    const idleMemory = readMegabytes(service);
    const [session] = await createSessions(service.httpPort, 1, () => 'felt');
    if (session === undefined) throw new Error('No session was created.');
    await delay(rested.ms);
    const memory = readMegabytes(service);
    const first = await measureMail(service, session, 1);
    await delay(rested.ms);
    const second = await measureMail(service, session, 2);
    return {
      node,
      ready: service.readyMs,
      readyCpu,
      code: first.code,
      look: first.look,
      restedCode: second.code,
      restedLook: second.look,
      idleMemory,
      memory,
      usedMemory: readMegabytes(service),
    };
  };
  return withService(run, { dataDir: freshDataDir(run), settings: rested.settings }, measure);
}

function readMegabytes({ pid }: ServiceProcess): number {
  return readMemory(pid).residentBytes / 1024 / 1024;
}

/** Measures the session's mail with this id, from its 250. */
async function measureMail(
  { httpPort, smtpPort }: ServiceProcess,
  { email, token }: BenchSession,
  id: number,
): Promise<{ readonly code: number; readonly look: number }> {
  const http = openHttpClient(httpPort);
  const smtp = await connectSmtp(smtpPort);
  const code = String(400_000 + id);
  const waiting = http
    .exchange(formatRequest('GET', `/check-mail?wait=30&after=${id - 1}`, token))
    .then((answer) => ({ answer, at: performance.now() }));
  await delay(200);
  await smtp.deliver(email, htmlMail(code));
  const acknowledgedAt = performance.now();
  const { answer, at } = await waiting;
  if (!answer.body.includes(code)) throw new Error(`The answer has no code: ${answer.body}`);
  const lookedAt = performance.now();
  const mail = await http.exchange(formatRequest('GET', `/read-mail?id=${id}`, token));
  const look = performance.now() - lookedAt;
  if (mail.status !== 200) throw new Error(`read-mail: ${mail.body}`);
  http.close();
  await smtp.quit();
  // The answer can arrive before the 250 is read.
  return { code: Math.max(0, at - acknowledgedAt), look };
}

/** Each start gets a copy of the same folder, because a list is cached once it has been made. */
async function measureLists(run: BenchRun, rounds: number): Promise<readonly number[]> {
  const filled = freshDataDir(run);
  const sessions = await withService(run, filled, async ({ httpPort, smtpPort }) => {
    const lent = await createSessions(httpPort, listers, (index) => `l${index}`);
    const smtp = await connectSmtp(smtpPort);
    for (let count = 0; count < mailsPerLister; count += 1) {
      for (let index = 0; index < listers; index += 1) {
        await smtp.deliver(`l${index}@${domain}`, htmlMail('482913'));
      }
    }
    await smtp.quit();
    await delay(rested.ms);
    return lent;
  });
  const lists: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const dataDir = freshDataDir(run);
    cpSync(filled, dataDir, { recursive: true });
    const list = ({ httpPort }: ServiceProcess): Promise<readonly number[]> => listAtOnce(httpPort, sessions);
    lists.push(...(await withService(run, dataDir, list)));
  }
  return lists;
}

interface Chains {
  readonly cold: Chain;
  readonly warm: readonly Chain[];
}

/** Measures the first mail of a new process and page, and two more. The browser itself is running before. */
async function measureChains(run: BenchRun, rounds: number): Promise<readonly Chains[]> {
  const browser = await launchBrowser();
  try {
    const chains: Chains[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const measure = async (service: ServiceProcess): Promise<Chains> => {
        const chain = await openChain(browser, service);
        await delay(rested.ms);
        const cold = await chain.measure(1);
        const warm = [await chain.measure(2), await chain.measure(3)];
        await chain.close();
        return { cold, warm };
      };
      chains.push(await withService(run, { dataDir: freshDataDir(run), settings: rested.settings }, measure));
    }
    return chains;
  } finally {
    await browser.close();
  }
}
