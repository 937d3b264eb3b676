// The codes and links of a message that are worth showing above it, and are never folded in it. Pure.
import type { FoundCode, FoundLink, FullMessage } from '../../api/answers.ts';
import { toLinkDisplay } from './link-display.ts';

const worthShowingFrom = 0.5;
const usefulKinds = new Set(['verify', 'login', 'reset', 'invite']);

export function usefulCodes({ codes }: FullMessage): readonly FoundCode[] {
  return codes.filter(({ confidence }) => confidence >= worthShowingFrom);
}

export function usefulLinks({ links }: FullMessage): readonly FoundLink[] {
  return links.filter(({ kind, url }) => usefulKinds.has(kind) && toLinkDisplay(url) !== null);
}
