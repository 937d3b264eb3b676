// The framed document of a message: sanitised HTML, or the text if there is none. Used by /html-mail. Inserts the
// sanitiser's output as it is.

import { type ImageSlot, renderSafeHtml } from '@mayfly/mail-reader/html';
import type { SanitiseOutcome } from '../../reading/html-sanitiser.ts';
import { inSlices } from '../slices.ts';
import { edge, frameScript } from './frame-script.ts';

export interface DocumentContent {
  readonly text: string;
  readonly html: SanitiseOutcome | null;
  /** Whether to include the script that reports the height. */
  readonly isSized: boolean;
}

const style =
  'html{color-scheme:light;background:#fff;color:#000}' +
  `body{margin:${edge}px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:break-word}` +
  '.tight body{overflow-wrap:anywhere}.wide body{margin-inline:2px}' +
  'img{max-width:100%}pre{white-space:pre-wrap;font:inherit}';

/**
 * Matches what a policy stops too late: Chromium opens connections for hints (`<link rel=preconnect>`) and frames
 * before consulting the policy, which reveals the reader to the sender. The sanitiser removes all of it; should it
 * fail, the text is shown instead.
 */
const connectsAhead = /<(?:link|meta|i?frame|fencedframe|portal|object|embed)(?![a-z\d])/i;

/**
 * Detects a foreign script that names the hash of ours: the policy would let it be requested, though not run. Neither
 * word occurs in plain letters except as the name of an element or attribute.
 */
function asksByHash(html: string): boolean {
  return /<script/i.test(html) && /integrity/i.test(html);
}

export async function renderHtmlDocument(
  { text, html, isSized }: DocumentContent,
  toUrl: (slot: ImageSlot) => string,
): Promise<Buffer> {
  const safe = html?.kind === 'safe' ? renderSafeHtml(html.html, toUrl) : null;
  const isShown = safe !== null && !connectsAhead.test(safe) && !(isSized && asksByHash(safe));
  const body = isShown
    ? [Buffer.from(safe)]
    : [Buffer.from('<pre>'), ...(await inSlices(text, escapeText)), Buffer.from('</pre>')];
  return Buffer.concat([
    Buffer.from(
      '<!DOCTYPE html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
        `<title>Message</title><style>${style}</style>${isSized ? `<script>${frameScript}</script>` : ''}</head><body>`,
    ),
    ...body,
    Buffer.from('</body></html>'),
  ]);
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}
