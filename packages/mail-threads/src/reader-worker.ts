// Entry of the threads that read mail: takes one request at a time. The same thread parses, makes glances and
// sanitises HTML, so that opening a mail needs one thread and not three. Started by reader-threads in its built form.
// Keeps no state between requests and uses no network; may be terminated at any instant.
import { getHeapStatistics } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import { glanceAt, holdsText, type MessageGlance, parseMessage, readBodyContents } from '@mayfly/mail-reader';
import { createHtmlCleaner, type HtmlCleaner } from '@mayfly/mail-reader/html';
import { createGarbageCollector } from '../../threads/src/garbage-collector.ts';
import { serveRequests } from '../../threads/src/serve-requests.ts';
import { examineMessage } from './examine-message.ts';
import { makeMailpitCheck, makeReport } from './make-report.ts';
import type { ReaderAnswer, ReaderRequest } from './reader-protocol.ts';

/**
 * The time for a batch, the rest of which becomes another request, so that the sender of one slow message does not
 * delay the lists of others.
 */
const batchTimeMs = 25;

function glanceInTime(heads: readonly Uint8Array[]): MessageGlance[] {
  const endsAt = performance.now() + batchTimeMs;
  const glances: MessageGlance[] = [];
  for (const head of heads) {
    glances.push(glanceAt(head));
    if (performance.now() > endsAt) break;
  }
  return glances;
}

function answerRequest(cleaner: HtmlCleaner, request: ReaderRequest): ReaderAnswer | Promise<ReaderAnswer> {
  switch (request.kind) {
    case 'parse':
      return { kind: 'parse', message: parseMessage(request.raw) };
    case 'glance':
      return { kind: 'glance', glances: glanceInTime(request.heads) };
    case 'search':
      return { kind: 'search', isFound: holdsText(request.text, request.part) };
    case 'contents':
      return { kind: 'contents', contents: readBodyContents(request.bodies) };
    case 'examine':
      return { kind: 'examine', facts: examineMessage(request.raw, request.parts) };
    case 'sanitise':
      return cleaner.sanitise(request.input).then((html) => ({ kind: 'sanitise', html }));
    case 'report':
      return makeReport(request.input).then((report) => ({ kind: 'report', report }));
    case 'mailpit':
      return makeMailpitCheck(request.check, request.bodies).then((json) => ({ kind: 'mailpit', json }));
  }
}

const row =
  '<tr><td style="padding:8px"><a href="https://example.org/">One of many</a><img src="https://example.org/b"></td></tr>';
const html =
  '<html><head><style>@media (max-width:9px){.a{color:red}}</style></head><body><p>Your <b>code</b> is 482913 &amp; so ' +
  `on</p><table>${row.repeat(20)}</table>`;
const sample = Buffer.from(
  'From: A <a@b.example>\r\nSubject: =?utf-8?q?Hello?=\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n' +
    `\r\nYour code is 482913.\r\n${'Some more words, and https://example.org/ too.\r\n'.repeat(20)}\r\n--b\r\n` +
    `Content-Type: text/html\r\n\r\n${html}\r\n--b--\r\n`,
);

/**
 * Compiles what every message needs before the first request. More rounds would cost more at the start than they gain.
 */
async function warmUp(cleaner: HtmlCleaner): Promise<void> {
  glanceAt(sample);
  parseMessage(sample);
  await cleaner.sanitise({ html, images: 'none', contentIds: [] });
}

/**
 * More used memory than this is given back after a request. What the thread needs for its work takes 35 MB: with less
 * room above it every twentieth mail began a full collection, which throws compiled code away too.
 */
const keptHeapBytes = 64 * 1024 * 1024;
/** Remains of mail are given back after so long without any. */
const restMs = 60_000;

/** Returns a function to call after each request. */
function createCollector(): () => void {
  const collect = createGarbageCollector();
  const rest = setTimeout(collect, restMs).unref();
  return () => {
    rest.refresh();
    if (getHeapStatistics().total_physical_size > keptHeapBytes) collect();
  };
}

if (parentPort !== null) {
  const cleaner = createHtmlCleaner();
  await warmUp(cleaner);
  const collect = createCollector();
  serveRequests<ReaderRequest, ReaderAnswer>(parentPort, (request) => {
    // Not before the answer has been sent.
    setImmediate(collect);
    return answerRequest(cleaner, request);
  });
}
