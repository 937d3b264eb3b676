// Entry of the sanitiser's worker thread: takes one message's HTML, answers it made safe, waits for the next.
// Started by html-sanitiser with this file's built form. It may be terminated at any instant.
import { parentPort } from 'node:worker_threads';
import { createHtmlCleaner, type HtmlCleaner } from '@mayfly/mail-reader/html';
import { serveRequests } from '../threads/serve-requests.ts';
import type { SanitiserAnswer, SanitiserRequest } from './sanitiser-protocol.ts';

/** Compiles what every message needs while the thread starts, rather than on the first reader's time. */
async function warmUp(cleaner: HtmlCleaner): Promise<void> {
  const row =
    '<tr><td style="color:#333"><a href="https://example.org/">a</a><img src="https://example.org/b"></td></tr>';
  const html = `<html><head><style>@media (max-width:9px){.a{color:red}}</style></head><body><table>${row.repeat(20)}</table>`;
  for (let i = 0; i < 10; i += 1) await cleaner.sanitise({ html, images: 'none', contentIds: [] });
}

if (parentPort !== null) {
  const cleaner = createHtmlCleaner();
  await warmUp(cleaner);
  serveRequests<SanitiserRequest, SanitiserAnswer>(parentPort, (request) => cleaner.sanitise(request));
}
