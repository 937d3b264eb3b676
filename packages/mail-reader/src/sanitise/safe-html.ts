// Sanitised HTML as stored: text with gaps for our own image URLs, which carry tickets made anew for each reader. Made
// by the sanitiser and rendered by the service. An attribute value fills each gap.
import type { LinkFlag } from './link-flags.ts';

/** The purpose of a gap. */
export type ImageSlot =
  { readonly kind: 'part'; readonly contentId: string } | { readonly kind: 'remote'; readonly url: string };

export interface SafeHtml {
  /** One more than `slots`; the gaps are between them. */
  readonly pieces: string[];
  readonly slots: ImageSlot[];
  /** References to remote content that were removed. */
  readonly remoteContent: number;
  /** Those that are images, which can be loaded on request. */
  readonly remoteImages: number;
  /** Links that deserve a warning, each URL once. */
  readonly flaggedLinks: { readonly url: string; readonly flags: LinkFlag[] }[];
}

/** `unstable`: the markup has no stable form. `excessive`: a parser makes far more of it than its length suggests. */
export type HtmlRefusal = 'unstable' | 'excessive';

export interface RefusedHtml {
  readonly refused: HtmlRefusal;
}

/** Returns the HTML with every gap filled. `toUrl` gives a URL of ours. */
export function renderSafeHtml({ pieces, slots }: SafeHtml, toUrl: (slot: ImageSlot) => string): string {
  const filled = new Map<string, string>();
  const fill = (slot: ImageSlot | undefined): string => {
    if (slot === undefined) return '';
    const name = slot.kind === 'remote' ? `r${slot.url}` : `p${slot.contentId}`;
    const value = filled.get(name) ?? escapeAttribute(toUrl(slot));
    filled.set(name, value);
    return value;
  };
  return pieces.map((piece, i) => piece + fill(slots[i])).join('');
}

function escapeAttribute(value: string): string {
  return value.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}
