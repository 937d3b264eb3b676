// Whether deletions wait for a page; apart from what reads them, which a first visit does not load.
import { readStored } from '../storage.ts';

export const storageKey = 'mayfly.deletions';

export function areDeletionsKept(): boolean {
  return (readStored(storageKey) ?? '[]') !== '[]';
}
