// What the script in a message's frame tells the page, checked as if anybody could have said it. Pure.

export type FrameMessage =
  | { readonly kind: 'height'; readonly height: number }
  /** The link pointed at; '' for none. */
  | { readonly kind: 'link'; readonly url: string }
  | { readonly kind: 'key'; readonly key: string };

const longestUrl = 4096;

/** Undefined for whatever has another shape. */
export function parseFrameMessage(data: unknown): FrameMessage | undefined {
  if (typeof data !== 'object' || data === null) return undefined;
  const { kind, height, url, key } = data as Record<string, unknown>;
  if (kind === 'height' && typeof height === 'number' && height >= 0 && height < Infinity) {
    return { kind, height };
  }
  if (kind === 'link' && typeof url === 'string' && url.length <= longestUrl) return { kind, url };
  if (kind === 'key' && typeof key === 'string' && (key === 'Escape' || [...key].length === 1)) {
    return { kind, key };
  }
  return undefined;
}

/** A mail this high is scrolled within its frame. */
export const highestFrame = 30_000;
/** A mail whose height follows that of its frame would grow for ever. */
const mostChanges = 60;

/** Gives the height to take for each that is told; null where the frame stays as it is. */
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
