// Entry of the parser's worker threads: takes one request, answers it, waits for the next.
// Started by worker-pool with this file's built form. Holds no state between requests and touches no file or network;
// it may be terminated at any instant.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { glanceAt } from './glance.ts';
import { parseMessage } from './parsed.ts';
import type { ParserAnswer, ParserRequest, WorkerReport } from './parser-protocol.ts';

function answerRequest(request: ParserRequest): ParserAnswer {
  switch (request.kind) {
    case 'parse':
      return { kind: 'parse', message: parseMessage(request.raw) };
    case 'glance':
      return { kind: 'glance', glances: request.heads.map(glanceAt) };
  }
}

const sample = Buffer.from(
  'From: A <a@b.example>\r\nSubject: =?utf-8?q?Hello?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n' +
    `Your code is 482913.\r\n${'Some more words, and https://example.org/ too.\r\n'.repeat(20)}\r\n--b\r\n` +
    `Content-Type: text/html\r\n\r\n<p>Your <b>code</b> is 482913 &amp; so on</p>\r\n--b--\r\n`,
);

/** Builds the extractor's tables and compiles what every message needs before anybody waits for it. */
function warmUp(): void {
  for (let i = 0; i < 20; i += 1) {
    glanceAt(sample);
    parseMessage(sample);
  }
}

function serve(port: MessagePort): void {
  const report = (what: WorkerReport<ParserAnswer>): void => port.postMessage(what);
  warmUp();
  port.on('message', (request: ParserRequest) => {
    try {
      report({ kind: 'answer', answer: answerRequest(request) });
    } catch (error) {
      report({ kind: 'error', message: error instanceof Error ? error.message : String(error) });
    }
  });
  report({ kind: 'ready' });
}

if (parentPort !== null) serve(parentPort);
