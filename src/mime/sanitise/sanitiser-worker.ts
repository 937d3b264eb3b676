// Entry of the sanitiser's worker thread: takes one message's HTML, answers it made safe, waits for the next.
// Started by html-sanitiser with this file's built form. It may be terminated at any instant.
import { type MessagePort, parentPort } from 'node:worker_threads';
import type { WorkerReport } from '../parser-protocol.ts';
import { createHtmlCleaner, type HtmlCleaner } from './sanitise-html.ts';
import type { SanitiserAnswer, SanitiserRequest } from './sanitiser-protocol.ts';

/** Compiles what every message needs while the thread starts, rather than on the first reader's time. */
async function warmUp(cleaner: HtmlCleaner): Promise<void> {
  const row =
    '<tr><td style="color:#333"><a href="https://example.org/">a</a><img src="https://example.org/b"></td></tr>';
  const html = `<html><head><style>@media (max-width:9px){.a{color:red}}</style></head><body><table>${row.repeat(20)}</table>`;
  for (let i = 0; i < 10; i += 1) await cleaner.sanitise({ html, images: 'none', contentIds: [] });
}

async function serve(port: MessagePort): Promise<void> {
  const report = (what: WorkerReport<SanitiserAnswer>): void => port.postMessage(what);
  const cleaner = createHtmlCleaner();
  await warmUp(cleaner);
  const answer = async (request: SanitiserRequest): Promise<void> => {
    try {
      report({ kind: 'answer', answer: (await cleaner.sanitise(request)) ?? null });
    } catch (error) {
      report({ kind: 'error', message: error instanceof Error ? error.name : 'unknown' });
    }
  };
  port.on('message', (request: SanitiserRequest) => void answer(request));
  report({ kind: 'ready' });
}

if (parentPort !== null) await serve(parentPort);
