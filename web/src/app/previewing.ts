// Shows attachments without saving them: pictures over the page, PDF documents in a window of the browser that has no
// access to this one.
import { signal } from '@preact/signals';

import type { Attachment } from '../api/answers.ts';
import { linksHoldMs } from '../state/mail/links-hold.ts';
import { openDialog } from './navigation.ts';
import { type Reading, withFreshLinks } from './reading.ts';
import { inBackground } from './report-fault.ts';

interface Previewed {
  readonly reading: Reading;
  readonly attachment: Attachment;
  /** The picture's URL. */
  readonly url: string;
}

export const previewed = signal<Previewed | null>(null);

/** Returns the URL that shows the same part, with the same ticket, inline. */
export function toShown(url: string): string {
  return url.replace('/attachment?', '/inline-image?');
}

/** @throws ApiError */
export async function showPicture(reading: Reading, attachment: Attachment): Promise<void> {
  previewed.value = { reading, attachment, url: await freshUrl(reading, attachment) };
  openDialog('picture');
}

/** Follows the link while its ticket is valid; else requests a new one and opens the window then. */
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
