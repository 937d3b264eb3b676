// Entry of the parser's worker threads: takes one request, answers it, waits for the next.
// Started by worker-pool with this file's built form. Holds no state between requests and touches no file or network;
// it may be terminated at any instant.
import { type MessagePort, parentPort } from 'node:worker_threads';
import { extractPart } from './extract-part.ts';
import { glanceAt } from './glance.ts';
import { parseMessage } from './parsed.ts';
import type { ParserAnswer, ParserRequest, WorkerReport } from './parser-protocol.ts';

function answerRequest(request: ParserRequest): ParserAnswer {
  switch (request.kind) {
    case 'parse':
      return { kind: 'parse', message: parseMessage(request.raw) };
    case 'glance':
      return { kind: 'glance', glance: glanceAt(request.head) };
    case 'extract':
      return { kind: 'extract', part: ownBytes(extractPart(request.raw, request.id)) };
  }
}

/** A view would be cloned with the whole message behind it. */
function ownBytes<Part extends { bytes: Uint8Array }>(part: Part | undefined): Part | undefined {
  return part === undefined ? undefined : { ...part, bytes: Uint8Array.prototype.slice.call(part.bytes) };
}

function serve(port: MessagePort): void {
  const report = (what: WorkerReport<ParserAnswer>): void => {
    const bytes =
      what.kind === 'answer' && what.answer.kind === 'extract' ? what.answer.part?.bytes : undefined;
    port.postMessage(what, bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : []);
  };
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
