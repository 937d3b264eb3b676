// Sanitises the HTML of messages on demand, in another thread, and caches it within a bound of bytes. Called by
// read-mail and by the framed document. The sender's own markup is not passed on.

import { findPictures, type ParsedMessage } from '@mayfly/mail-reader';
import type { RemoteImages } from '@mayfly/mail-reader/html';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { HtmlSanitiser, SanitiseOutcome } from '#mail-threads/html-sanitiser';
import type { SessionCache } from '../session/session-cache.ts';
import { requesterOf } from '../session/turn-owner.ts';
import type { OpenSession } from '../session/session-access.ts';

export interface SafeHtmlDeps {
  readonly sanitiser: HtmlSanitiser;
  readonly safeHtml: SessionCache<SanitiseOutcome>;
}

export interface ParsedIn {
  readonly session: OpenSession;
  readonly id: number;
  readonly parsed: ParsedMessage;
}

const modes: readonly RemoteImages[] = ['none', 'browser', 'proxy'];
const bytesPerEntry = 1024;

/**
 * Resolves with null when the message has no HTML. Overload counts as a failure instead of an error, since the rest of
 * the message is still useful.
 */
export async function makeSafeHtml(
  deps: SafeHtmlDeps,
  { session, id, parsed }: ParsedIn,
  images: RemoteImages,
): Promise<SanitiseOutcome | null> {
  if (parsed.html === null) return null;
  return unlessBusy(() =>
    deps.safeHtml.share(session.key, safeHtmlName(id, images), async () => {
      const value = await sanitise(deps, { session, parsed }, images);
      return { value, weight: weigh(value) };
    }),
  );
}

/** As makeSafeHtml without remote content, for a message without a reader; nothing is cached. */
export async function sanitiseParsed(
  deps: Pick<SafeHtmlDeps, 'sanitiser'>,
  session: Session,
  parsed: ParsedMessage,
): Promise<SanitiseOutcome | null> {
  return parsed.html === null ? null : unlessBusy(() => sanitise(deps, { session, parsed }, 'none'));
}

function sanitise(
  { sanitiser }: Pick<SafeHtmlDeps, 'sanitiser'>,
  { session, parsed }: { readonly session: Session; readonly parsed: ParsedMessage },
  images: RemoteImages,
): Promise<SanitiseOutcome> {
  const contentIds = [...findPictures(parsed.attachments).keys()];
  return sanitiser.sanitise({ html: parsed.html ?? '', images, contentIds }, requesterOf(session));
}

async function unlessBusy(work: () => Promise<SanitiseOutcome>): Promise<SanitiseOutcome> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MayflyError)) throw error;
    return { kind: 'failed', reason: 'too many messages are being read at once' };
  }
}

export function deleteSafeHtml(
  { safeHtml }: Pick<SafeHtmlDeps, 'safeHtml'>,
  session: OpenSession,
  id: number,
): void {
  for (const images of modes) safeHtml.delete(session.key, safeHtmlName(id, images));
}

function safeHtmlName(id: number, images: RemoteImages): string {
  return `${id} ${images}`;
}

function weigh(outcome: SanitiseOutcome): number {
  if (outcome.kind === 'failed') return outcome.isProvisional === true ? Infinity : bytesPerEntry;
  const { pieces, slots, flaggedLinks } = outcome.html;
  const texts = [
    ...pieces,
    ...slots.map((slot) => (slot.kind === 'part' ? slot.contentId : slot.url)),
    ...flaggedLinks.map(({ url }) => url),
  ];
  return texts.reduce((bytes, text) => bytes + 2 * text.length + 64, bytesPerEntry);
}
