// Returns the HTML of one message for the framed document. Called by the HTTP interface.

import type { ParsedMessage } from '@mayfly/mail-reader';
import type { RemoteImages } from '@mayfly/mail-reader/html';
import type { SanitiseOutcome } from '#mail-threads/html-sanitiser';
import { messageNotFound } from '../../domain/gone.ts';
import { loadMessage, type ReadMailDeps } from './read-mail.ts';
import type { RemoteImageFetcher } from './remote-image-fetcher.ts';
import { makeSafeHtml } from './safe-html.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface HtmlMailDeps extends ReadMailDeps {
  /** Null when the operator has not turned the image proxy on: browsers then load remote images themselves. */
  readonly remoteImages: RemoteImageFetcher | null;
}

export interface HtmlMail {
  readonly parsed: ParsedMessage;
  readonly html: SanitiseOutcome | null;
  /** How remote images are shown. */
  readonly images: RemoteImages;
}

/**
 * Leaves the message unread.
 * @throws MayflyError message_not_found
 */
export async function readHtmlMail(
  deps: HtmlMailDeps,
  session: OpenSession,
  { id, remote }: { readonly id: number; readonly remote: boolean },
): Promise<HtmlMail> {
  const message = await loadMessage(deps, session, id);
  if (!message) throw messageNotFound();
  const { parsed } = message;
  if (!remote) return { parsed, html: message.html, images: 'none' };
  const images = deps.remoteImages === null ? 'browser' : 'proxy';
  return { parsed, html: await makeSafeHtml(deps, { session, id, parsed }, images), images };
}
