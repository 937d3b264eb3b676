// A link that may mislead takes two steps: the first shows where it leads and why to doubt it.
import { signal } from '@preact/signals';

import type { FoundLink, FullMessage } from '../api/answers.ts';
import { type LinkDisplay, toLinkDisplay } from '../state/mail/link-display.ts';

export interface Doubt {
  readonly link: LinkDisplay;
  readonly flags: FoundLink['flags'];
}

/** The link that the reader is asked about; null for none. */
export const doubted = signal<Doubt | null>(null);

export function doubtLink(url: string, { links }: Pick<FullMessage, 'links'>): void {
  const link = toLinkDisplay(url);
  if (link) doubted.value = { link, flags: flagsOf(link.href, links) };
}

/** Returns the warnings about a link, however its address is spelled; none for one that deserves none. */
export function flagsOf(href: string, links: FullMessage['links']): FoundLink['flags'] {
  const found = links.filter(({ flags, url }) => flags.length > 0 && toLinkDisplay(url)?.href === href);
  return [...new Set(found.flatMap(({ flags }) => flags))];
}
