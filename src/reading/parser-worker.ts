// Entry of the parser's worker threads: takes one request, answers it, waits for the next.
// Started by message-parser's pools with this file's built form. Holds no state between requests and touches no file or network;
// it may be terminated at any instant.
import { parentPort } from 'node:worker_threads';
import { glanceAt, holdsText, parseMessage } from '@mayfly/mail-reader';
import type { MessageGlance } from '../domain/message.ts';
import { serveRequests } from '../threads/serve-requests.ts';
import type { ParserAnswer, ParserRequest } from './parser-protocol.ts';

/** What comes after a message that takes long is another request's: its sender must not hold up the others' lists. */
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

function answerRequest(request: ParserRequest): ParserAnswer {
  switch (request.kind) {
    case 'parse':
      return { kind: 'parse', message: parseMessage(request.raw) };
    case 'glance':
      return { kind: 'glance', glances: glanceInTime(request.heads) };
    case 'search':
      return { kind: 'search', isFound: holdsText(request.text, request.part) };
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

if (parentPort !== null) {
  warmUp();
  serveRequests(parentPort, answerRequest);
}
