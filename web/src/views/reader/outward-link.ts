// The attributes of every link that leads out of a message: it opens a window without referrer or opener, and only after a
// question if it may mislead, whichever button or key is used.
import { doubtLink, flagsOf } from '../../app/doubting.ts';
import type { FullMessage } from '../../api/answers.ts';

interface OutwardLink {
  readonly href: string;
  readonly target: '_blank';
  readonly rel: string;
  readonly draggable?: false;
  readonly onClick?: (event: Event) => void;
  readonly onAuxClick?: (event: Event) => void;
}

export function outwards(href: string, links: FullMessage['links']): OutwardLink {
  const plain = { href, target: '_blank', rel: 'noopener noreferrer nofollow' } as const;
  if (flagsOf(href, links).length === 0) return plain;
  const ask = (event: Event): void => {
    event.preventDefault();
    doubtLink(href, { links });
  };
  return { ...plain, draggable: false, onClick: ask, onAuxClick: ask };
}
