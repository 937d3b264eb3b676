// Deletions that can still be undone, kept in localStorage: closing the page neither makes nor loses them. What is not
// kept there any more was undone in another window, and is not done. Without tokens; names the address.

import { readStored, writeStored } from '../storage.ts';
import { storageKey } from './deletions-kept.ts';

export interface KeptDeletion {
  readonly key: string;
  readonly email: string;
  readonly ids: readonly number[];
}

/** More than five seconds leave time for; bounds the effect of manipulated storage. */
const mostKept = 50;

/** Skips anything that is not a valid deletion. */
export function readDeletions(): readonly KeptDeletion[] {
  let value: unknown = null;
  try {
    value = JSON.parse(readStored(storageKey) ?? '[]');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  return Array.isArray(value) ? value.slice(0, mostKept).flatMap(toDeletion) : [];
}

/** Returns whether the browser keeps it. */
export function keepDeletion(deletion: KeptDeletion): boolean {
  write([...readDeletions(), deletion]);
  return readDeletions().some(({ key }) => key === deletion.key);
}

/** Returns whether it was still kept. */
export function dropDeletion(key: string): boolean {
  const all = readDeletions();
  const others = all.filter((one) => one.key !== key);
  if (others.length < all.length) write(others);
  return others.length < all.length;
}

function write(all: readonly KeptDeletion[]): void {
  writeStored(storageKey, JSON.stringify(all));
}

function toDeletion(value: unknown): KeptDeletion[] {
  const { key, email, ids } = { ...(value as object) } as Record<string, unknown>;
  const isWhole = typeof key === 'string' && typeof email === 'string' && Array.isArray(ids);
  return isWhole && ids.every((id) => Number.isSafeInteger(id)) ? [{ key, email, ids: ids as number[] }] : [];
}
