// Marks in the texts of the list what a search has found. Loaded with the search.
import type { VNode } from 'preact';

import { markHits, toHits } from '../../state/find-messages.ts';

export interface Marker {
  readonly mark: (text: string) => readonly (VNode | string)[];
}

/** Returns null when the search has nothing to mark. */
export function createMarker(query: string): Marker | null {
  const hits = toHits(query);
  if (hits.length === 0) return null;
  return {
    mark: (text) =>
      markHits(text, hits).map((piece, at) =>
        piece.isHit ? (
          <mark key={at} class="hit">
            {piece.text}
          </mark>
        ) : (
          piece.text
        ),
      ),
  };
}
