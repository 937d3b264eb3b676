// The framed document of a message: sanitised HTML, or the text if there is none. Used by /html-mail. Inserts the
// sanitiser's output as it is.

import { renderSafePage, type ToUrl, viewportUnit } from '@mayfly/mail-reader/html';
import { inSlices } from '#http-parts/slices';
import { createFrameStyle, frameScript } from '#mail-frame/frame-script';
import type { SanitiseOutcome } from '#mail-threads/html-sanitiser';

export interface DocumentContent {
  readonly text: string;
  readonly html: SanitiseOutcome | null;
  /** Whether to include the script that reports the height. */
  readonly isSized: boolean;
}

const meta =
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Message</title>';
const frameHead = `${meta}<style>${createFrameStyle(viewportUnit)}</style><script>${frameScript}</script>`;
const textStyle =
  'html{color-scheme:light;background:#fff;color:#000}body{margin:12px;font:15px/1.5 system-ui,sans-serif;' +
  'overflow-wrap:break-word}pre{white-space:pre-wrap;font:inherit}';

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
  toUrl: ToUrl,
): Promise<Buffer> {
  // Before anything of the sender's.
  const own = isSized ? frameHead : meta;
  const page = html?.kind === 'safe' ? renderSafePage(html.html, toUrl, own) : null;
  if (page !== null && isShown(page.replace(own, ''), isSized)) return Buffer.from(page);
  return Buffer.concat([
    Buffer.from(`<!DOCTYPE html><html><head>${own}<style>${textStyle}</style></head><body><pre>`),
    ...(await inSlices(text, escapeText)),
    Buffer.from('</pre></body></html>'),
  ]);
}

/** `html` is what the sanitiser gave. */
function isShown(html: string, isSized: boolean): boolean {
  return !connectsAhead.test(html) && !(isSized && asksByHash(html));
}

function escapeText(text: string): string {
  return text.replace(/[&<>]/g, (char) => `&#${char.charCodeAt(0)};`);
}
