// The page in Chromium: what a first visit weighs, how soon it has an address on slow lines, what shifts, how quickly an
// inbox of 500 messages answers to keys and pointer, and how much memory it takes.
import { get } from 'node:http';

import type { Browser, BrowserContext, CDPSession, Page } from 'playwright-core';

import { type BenchRun, freshDataDir, scaled, startOn, withService } from './bench-run.ts';
import { type Figure, toFigure } from './figure.ts';
import { htmlMail } from './html-mail.ts';
import { launchBrowser } from './measure-chain.ts';
import { readInteractions, useInbox, watchPage } from './page-use.ts';
import type { ServiceProcess } from './service-process.ts';
import { connectSmtp } from './smtp-client.ts';
import { toLatency } from './statistics.ts';

const fullVisits = 15;
interface Line {
  readonly id: string;
  readonly words: string;
  /** Milliseconds from a request to its answer. */
  readonly latency: number;
  /** Bytes a second. */
  readonly downloadThroughput: number;
  readonly uploadThroughput: number;
}

const lines: readonly Line[] = [
  {
    id: 'page-address',
    words: '1.6 Mbit/s and 150 ms',
    latency: 150,
    downloadThroughput: 200_000,
    uploadThroughput: 100_000,
  },
  {
    id: 'page-address-slow',
    words: '400 kbit/s and 400 ms',
    latency: 400,
    downloadThroughput: 50_000,
    uploadThroughput: 50_000,
  },
];
const desktop = { width: 1280, height: 800 };
const settings = { MAYFLY_LIMITS_SESSION_MESSAGES: '1200' } as const;
const patienceMs = 60_000;
const aheadMs = 5000;

export function measurePage(run: BenchRun): Promise<readonly Figure[]> {
  return withService(run, { dataDir: freshDataDir(run), settings }, async (service) => {
    const browser = await launchBrowser();
    try {
      const visits = await measureVisits(run, browser, service);
      return [...visits, ...(await measureInbox(run, browser, service))];
    } finally {
      await browser.close();
    }
  });
}

/** Visits pages in turns: this build's, and that of the build compared with, if any. */
async function measureVisits(
  run: BenchRun,
  browser: Browser,
  service: ServiceProcess,
): Promise<readonly Figure[]> {
  const { against } = run.options;
  const other = against && (await startOn(run, freshDataDir(run), { build: against.build }));
  try {
    const figures = [await measureBytes(browser, service)];
    for (const line of lines) {
      const visits = scaled(run, fullVisits, 3);
      run.say(`${visits} first visits at ${line.words}`);
      const times: number[] = [];
      const floor: number[] = [];
      for (let visit = 0; visit < visits; visit += 1) {
        times.push(await visitOver(line, browser, service));
        if (other) floor.push(await visitOver(line, browser, other));
      }
      figures.push(
        toFigure({
          id: line.id,
          title: `Address on the screen${against ? `; ${against.name}` : ''}`,
          shape: `${visits} visits, empty cache, ${line.words}`,
          unit: ' ms',
          service: times,
          ...(other && { floor }),
        }),
      );
    }
    return figures;
  } finally {
    await other?.stop();
  }
}

async function openPage(browser: Browser): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext({ locale: 'en-US', viewport: desktop });
  context.setDefaultTimeout(patienceMs);
  await context.addInitScript(watchPage);
  return { page: await context.newPage(), context };
}

async function visitOver(line: Line, browser: Browser, { httpPort }: ServiceProcess): Promise<number> {
  const { page, context } = await openPage(browser);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  const { latency, downloadThroughput, uploadThroughput } = line;
  await devtools.send('Network.emulateNetworkConditions', {
    latency,
    downloadThroughput,
    uploadThroughput,
    offline: false,
  });
  await page.goto(`http://127.0.0.1:${httpPort}/`);
  const time = Number(await page.evaluate('window.seen.addressMs'));
  await context.close();
  return time;
}

async function measureBytes(browser: Browser, { httpPort }: ServiceProcess): Promise<Figure> {
  const { page, context } = await openPage(browser);
  const paths = new Set<string>();
  page.on('request', (request) => {
    if (['document', 'script', 'stylesheet'].includes(request.resourceType())) paths.add(request.url());
  });
  await page.goto(`http://127.0.0.1:${httpPort}/`);
  // Files fetched ahead belong to the visit too.
  await page.waitForTimeout(aheadMs);
  await context.close();
  let bytes = 0;
  for (const path of paths) bytes += await countGzipped(path);
  return toFigure({
    id: 'page-bytes',
    title: 'First visit, gzipped, without the font',
    unit: ' KB',
    shape: `${paths.size} files, those fetched ahead included`,
    service: [bytes / 1000],
  });
}

/** Bytes of the answer's body as the service compresses it for a client that knows gzip alone. */
function countGzipped(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html,*/*', 'accept-encoding': 'gzip' };
    get(url, { headers }, (answer) => {
      let bytes = 0;
      answer.on('data', (piece: Buffer) => {
        bytes += piece.length;
      });
      answer.on('end', () => {
        resolve(bytes);
      });
    }).on('error', reject);
  });
}

const usedMessages = 500;
const keptMessages = 1000;

async function measureInbox(
  run: BenchRun,
  browser: Browser,
  { httpPort, smtpPort }: ServiceProcess,
): Promise<readonly Figure[]> {
  const { page, context } = await openPage(browser);
  await page.goto(`http://127.0.0.1:${httpPort}/`);
  const email = (await page.getByTestId('address').textContent()) ?? '';
  // Mail as one person gets it; hundreds within seconds move a list, whatever it does.
  for (const id of [1, 2, 3]) {
    await fill(page, { smtpPort, email, from: id, to: id });
    await page.waitForTimeout(aheadMs);
  }
  const shift = Number(await page.evaluate('window.seen.shift'));
  run.say(`${usedMessages} messages, typed, pointed and clicked at`);
  await fill(page, { smtpPort, email, from: 4, to: usedMessages });
  await useInbox(page);
  const interactions = await readInteractions(page);
  const heap = await readHeapAnew(page, context, usedMessages);
  run.say(`${keptMessages} messages in memory`);
  await fill(page, { smtpPort, email, from: usedMessages + 1, to: keptMessages });
  const fullHeap = await readHeapAnew(page, context, keptMessages);
  await context.close();
  const shape = `${usedMessages} messages, ${interactions.length} keys and clicks`;
  return [
    toFigure({
      id: 'page-inp-p98',
      title: 'Key or click to the next paint, p98',
      shape,
      unit: ' ms',
      service: [percentile(interactions, 0.98)],
    }),
    toFigure({
      id: 'page-inp-p50',
      title: 'Key or click to the next paint, p50',
      shape,
      unit: ' ms',
      service: [toLatency(interactions).p50],
    }),
    toFigure({
      id: 'page-shift',
      title: 'Layout shift (CLS)',
      unit: '',
      shape: 'first visit and three mails, one after the other',
      service: [shift],
    }),
    heapFigure('page-heap', usedMessages, heap),
    heapFigure('page-heap-full', keptMessages, fullHeap),
  ];
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
}

function heapFigure(id: string, messages: number, bytes: number): Figure {
  return toFigure({
    id,
    title: 'JavaScript heap',
    unit: ' MB',
    shape: `${messages} messages listed, after a collection`,
    service: [bytes / 1024 / 1024],
  });
}

interface Filling {
  readonly smtpPort: number;
  readonly email: string;
  readonly from: number;
  readonly to: number;
}

/** Sends messages with these numbers, and waits until all are listed. */
async function fill(page: Page, { smtpPort, email, from, to }: Filling): Promise<void> {
  const smtp = await connectSmtp(smtpPort);
  for (let id = from; id <= to; id += 1) await smtp.deliver(email, htmlMail(String(400_000 + id)));
  await smtp.quit();
  await page
    .locator('[data-id]')
    .nth(to - 1)
    .waitFor({ state: 'attached' });
}

/** Bytes in use after a reload, with so many messages listed. */
async function readHeapAnew(page: Page, context: BrowserContext, messages: number): Promise<number> {
  await page.reload();
  await page
    .locator('[data-id]')
    .nth(messages - 1)
    .waitFor({ state: 'attached' });
  return readHeap(await context.newCDPSession(page));
}

async function readHeap(devtools: CDPSession): Promise<number> {
  await devtools.send('HeapProfiler.enable');
  // The second frees objects held by finalizers.
  await devtools.send('HeapProfiler.collectGarbage');
  await devtools.send('HeapProfiler.collectGarbage');
  return (await devtools.send('Runtime.getHeapUsage')).usedSize;
}
