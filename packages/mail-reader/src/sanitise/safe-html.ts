// Sanitised HTML as it is kept: text with gaps where our own links to images go, since those carry tickets that are
// made anew for each reader. Made by the sanitiser; rendered by the service. What fills a gap is an attribute's value.
import type { LinkFlag } from './link-flags.ts';

/** What a gap is for. */
export type ImageSlot =
  { readonly kind: 'part'; readonly contentId: string } | { readonly kind: 'remote'; readonly url: string };

export interface SafeHtml {
  /** One more than `slots`; the gaps are between them. */
  readonly pieces: string[];
  readonly slots: ImageSlot[];
  /** References to remote content that were taken out. */
  readonly remoteContent: number;
  /** Those of them that are images, which can be loaded when they are asked for. */
  readonly remoteImages: number;
  /** Links of the HTML that deserve a warning, each address once. */
  readonly flaggedLinks: { readonly url: string; readonly flags: LinkFlag[] }[];
}

/** `unstable`: the markup has no stable form. `excessive`: a parser makes far more of it than its length lets expect. */
export type HtmlRefusal = 'unstable' | 'excessive';

export interface RefusedHtml {
  readonly refused: HtmlRefusal;
}

/** The HTML with every gap filled. `toUrl` gives a URL of ours. */
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
