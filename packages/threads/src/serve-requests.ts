// The worker's side of a pool: answers requests. Called once by the entry file of each kind of worker, when its code
// is loaded and warm.
import type { MessagePort } from 'node:worker_threads';
import { findOwnThread } from './thread-clock.ts';
import type { WorkerReport, WorkerRequest } from './worker-protocol.ts';

export function serveRequests<Request, Answer>(
  port: MessagePort,
  answerRequest: (request: Request) => Answer | Promise<Answer>,
  /** Buffers of the answer that are moved instead of copied. */
  toTransfer: (answer: Answer) => readonly ArrayBuffer[] = () => [],
): void {
  const report = (what: WorkerReport<Answer>): void => {
    port.postMessage(what, what.kind === 'answer' ? toTransfer(what.answer) : []);
  };
  const serve = async ({ id, request }: WorkerRequest<Request>): Promise<void> => {
    try {
      const answer = answerRequest(request);
      report({ kind: 'answer', id, answer: answer instanceof Promise ? await answer : answer });
    } catch (error) {
      // Its message may contain text from the sender.
      report({ kind: 'error', id, detail: error instanceof Error ? error.name : 'unknown' });
    }
  };
  port.on('message', (message: WorkerRequest<Request>) => void serve(message));
  report({ kind: 'ready', thread: findOwnThread() });
}
