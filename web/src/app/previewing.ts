// Files of a message shown rather than saved: pictures over the page, PDF documents by the browser in a window of their own,
// which knows nothing of this one.
import { signal } from '@preact/signals';

import type { Attachment } from '../api/answers.ts';
import { linksHoldMs } from '../state/links-hold.ts';
import { openDialog } from './navigation.ts';
import { type Reading, withFreshLinks } from './reading.ts';
import { inBackground } from './report-fault.ts';

interface Previewed {
  readonly reading: Reading;
  readonly attachment: Attachment;
  /** Of the picture. */
  readonly url: string;
}

export const previewed = signal<Previewed | null>(null);

/** The same part under the same ticket, to be shown rather than saved. */
export function toShown(url: string): string {
  return url.replace('/attachment?', '/inline-image?');
}

/** @throws ApiError */
export async function showPicture(reading: Reading, attachment: Attachment): Promise<void> {
  previewed.value = { reading, attachment, url: await freshUrl(reading, attachment) };
  openDialog('picture');
}

/** Follows the link where its ticket still holds; else it is asked for anew, and the window opened then. */
export function openDocument(event: MouseEvent, reading: Reading, attachment: Attachment): void {
  if (Date.now() - reading.readAt < linksHoldMs) return;
  event.preventDefault();
  inBackground(
    freshUrl(reading, attachment).then((url) => {
      window.open(url, '_blank', 'noopener,noreferrer');
    }),
  );
}

async function freshUrl(reading: Reading, { id, url }: Attachment): Promise<string> {
  const { attachments } = await withFreshLinks(reading);
  return toShown(attachments.find((one) => one.id === id)?.url ?? url);
}
