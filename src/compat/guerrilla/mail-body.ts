// The displayed body of a message: sanitised HTML, or else its text with all markup escaped. Clients insert both into
// a page unchanged.

import { renderSafeHtml } from '@mayfly/mail-reader/html';

import { inSlices } from '../../http/slices.ts';
import type { FullMessage } from '../../service/read-mail.ts';
import { escapeHtml } from './escape-html.ts';

export interface MailBody {
  readonly contentType: 'text/html' | 'text/plain';
  readonly body: string;
}

/** Images are left out, since their links belong to another interface. */
const noImage = (): string => 'data:,';

/** Should the sanitiser ever let one of these through, the text is shown instead. */
const neverSafe = /<(?:script|link|meta|i?frame|fencedframe|portal|object|embed|base|form)(?![a-z\d])/i;

export async function toMailBody({ parsed, html }: Pick<FullMessage, 'parsed' | 'html'>): Promise<MailBody> {
  const safe = html?.kind === 'safe' ? renderSafeHtml(html.html, noImage) : null;
  if (safe !== null && !neverSafe.test(safe)) return { contentType: 'text/html', body: safe };
  return {
    contentType: 'text/plain',
    body: Buffer.concat(await inSlices(parsed.text, escapeHtml)).toString(),
  };
}
