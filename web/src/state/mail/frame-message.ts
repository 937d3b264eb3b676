// Messages from the script in a message's frame, checked as if they came from a stranger. Pure.

export type FrameMessage =
  | { readonly kind: 'height'; readonly height: number }
  /** The place that a followed link within the message leads to, in pixels below the frame's upper edge. */
  | { readonly kind: 'jump'; readonly top: number }
  /** The link under the pointer; '' for none. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'key'; readonly key: string }
  /** Whether the message is shown in dark colours that are not its sender's. */
  | { readonly kind: 'scheme'; readonly isDark: boolean }
  /** Whether the sender's layout is too wide for its words to be read. */
  | { readonly kind: 'fit'; readonly isSmall: boolean }
  /** A link that may mislead, which the reader wants to follow. */
  | { readonly kind: 'doubt'; readonly url: string };

/** How the page wants the message shown, as it tells the script. */
export interface FrameWish {
  /** `auto`: dark if the message has no design of its own. */
  readonly scheme: 'auto' | 'dark' | 'light';
  /** Whether a wide message may be laid out anew, so that its words keep their size. */
  readonly isReadable: boolean;
}

const longestUrl = 4096;
/** A taller mail scrolls within its frame. */
export const highestFrame = 30_000;

/** Returns undefined for any other shape. */
export function parseFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, height, top, url, key, isDark, isSmall } = data as Record<string, unknown>;
  if (kind === 'height' && typeof height === 'number' && height >= 0 && height < Infinity) {
    return { kind, height };
  }
  if (kind === 'jump' && typeof top === 'number' && top >= 0 && top <= highestFrame) return { kind, top };
  if ((kind === 'link' || kind === 'doubt') && typeof url === 'string' && url.length <= longestUrl) {
    return { kind, url };
  }
  if (kind === 'scheme' && typeof isDark === 'boolean') return { kind, isDark };
  if (kind === 'fit' && typeof isSmall === 'boolean') return { kind, isSmall };
  if (kind === 'key' && typeof key === 'string' && (key === 'Escape' || [...key].length === 1)) {
    return { kind, key };
  }
  return undefined;
}

/** Without a bound, a mail whose height depends on its frame's would grow for ever. */
const mostChanges = 60;

/** Returns a function that gives the height to set for each one reported, or null to leave the frame as it is. */
export function createHeightKeeper(): (height: number) => number | null {
  let current = 0;
  let changes = 0;
  return (height) => {
    const wanted = Math.min(Math.ceil(height), highestFrame);
    if (wanted === current || changes >= mostChanges) return null;
    changes += 1;
    current = wanted;
    return wanted;
  };
}
