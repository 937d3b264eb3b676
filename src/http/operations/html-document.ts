// The document that frames a message: sanitised HTML, or the text where there is none. Called by /html-mail. What the
// sanitiser gave goes in as it is.

import { type ImageSlot, renderSafeHtml } from '@mayfly/mail-reader/html';
import type { SanitiseOutcome } from '../../reading/html-sanitiser.ts';
import { inSlices } from '../slices.ts';
import { frameScript } from './frame-script.ts';

export interface DocumentContent {
  readonly text: string;
  readonly html: SanitiseOutcome | null;
  /** With the script that tells how high the message is. */
  readonly isSized: boolean;
}

const style =
  'html{color-scheme:light;background:#fff;color:#000}' +
  'body{margin:12px;font:15px/1.5 system-ui,sans-serif;overflow-wrap:break-word}' +
  '.tight body{overflow-wrap:anywhere}' +
  'img{max-width:100%}pre{white-space:pre-wrap;font:inherit}';

/**
 * For what a policy stops too late: Chromium opens a connection for a hint (`<link rel=preconnect>`) or a frame before
 * it asks the policy, which tells the sender who reads. The sanitiser lets none of it through; should it fail, the text
 * is shown.
 */
const connectsAhead = /<(?:link|meta|i?frame|fencedframe|portal|object|embed)(?![a-z\d])/i;

/**
 * A script from elsewhere that names the hash of ours: the policy lets the request go out, though not the script run.
 * Both words stand in ordinary letters nowhere but in the names of element and attribute.
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
