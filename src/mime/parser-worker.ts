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

function serve(port: MessagePort): void {
  const report = (what: WorkerReport<ParserAnswer>): void => port.postMessage(what);
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
