// Reads the images of a message that a browser shows rather than saves: its own pictures and PDF documents, and remote
// pictures where the operator has turned the proxy on. Called by the HTTP interface.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { toKeyText } from '../../domain/session.ts';
import { type HtmlMailDeps, readHtmlMail } from './read-html-mail.ts';
import { type OpenedAttachment, readAttachment } from './read-mail.ts';
import type { FetchedImage } from './remote-image-fetcher.ts';
import type { Asker } from '../live/wait-for.ts';
import type { OpenSession } from '../session/session-access.ts';

export type ShownImage = FetchedImage | OpenedAttachment;

/** Senders often declare a PDF document only as bytes, so its first bytes decide, as with pictures. */
const pdfTypes: ReadonlySet<string> = new Set(['application/pdf', 'application/octet-stream']);
const pdfStart = Buffer.from('%PDF-');

/** @throws MayflyError message_not_found; attachment_not_found also for a part that is neither picture nor PDF */
export async function readInlineImage(
  deps: HtmlMailDeps,
  session: OpenSession,
  { id, part }: { readonly id: number; readonly part: string },
): Promise<ShownImage> {
  const image = await readAttachment(deps, session, { id, part });
  if (image.pictureType !== null) return { ...image, contentType: image.pictureType };
  const pdf = pdfTypes.has(image.contentType) ? await asPdf(image) : undefined;
  if (pdf) return pdf;
  throw new MayflyError(
    'attachment_not_found',
    'This part is not a picture that can be shown; download it.',
    {
      parameter: 'part',
    },
  );
}

/** Returns undefined if the file does not begin like a PDF document. */
async function asPdf(file: OpenedAttachment): Promise<OpenedAttachment | undefined> {
  const pieces = file.pieces[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < pdfStart.length) {
    const next = await pieces.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  if (!head.subarray(0, pdfStart.length).equals(pdfStart)) {
    await pieces.return?.();
    return undefined;
  }
  async function* whole(): AsyncGenerator<Buffer> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => pieces };
  }
  return { ...file, contentType: 'application/pdf', pieces: whole() };
}

/**
 * Fetches only images that the message itself shows, so that this is not an open proxy.
 * @throws MayflyError message_not_found, not_found, unavailable when too many are requested
 */
export async function readRemoteImage(
  deps: HtmlMailDeps,
  session: OpenSession,
  { id, url, asker }: { readonly id: number; readonly url: string; readonly asker: Asker },
): Promise<ShownImage> {
  const { html } = await readHtmlMail(deps, session, { id, remote: true });
  const slots = html?.kind === 'safe' ? html.html.slots : [];
  if (deps.remoteImages === null || !slots.some((slot) => slot.kind === 'remote' && slot.url === url)) {
    throw new MayflyError('not_found', 'The message does not show this picture through this server.', {
      parameter: 'url',
    });
  }
  const name = toKeyText(session.key);
  return deps.remoteImages.fetch({
    url,
    session: name,
    network: asker.network ?? name,
    signal: asker.gone,
  });
}
