// Notes what operators do. An act is noted before it begins, and completed when it has ended, so that nothing that was
// done is missing, whatever happens in between.

import { randomBytes } from 'node:crypto';

import type { Act, AuditEnd, AuditEntry, AuditStore, Outcome } from './entry.ts';

export interface NamedAct<A> extends Omit<Act, 'target'> {
  /** Returns what it is done to, as far as is known: before it, without its result. Never a secret. */
  readonly target: (result?: A) => string;
}

export interface Refusal {
  readonly outcome: Extract<Outcome, 'refused' | 'failed'>;
  readonly detail: string;
}

export interface AuditSearch {
  /** All must be in an entry. */
  readonly words: string;
  readonly limit: number;
}

export interface Audit {
  /**
   * Does the work, and notes it. When it cannot be noted, the work is not begun, and this rejects with the store's error.
   * Otherwise the result is the work's.
   */
  record<A>(act: NamedAct<A>, work: () => Promise<A>): Promise<A>;
  /** Notes what has ended already. */
  note(act: Act, outcome: Outcome, detail?: string): Promise<void>;
  /** The newest first. */
  search(search: AuditSearch): Promise<AuditEntry[]>;
  /** Drops entries that are too old or too many; call it now and then. */
  sweep(): Promise<void>;
}

export interface AuditOptions {
  readonly store: AuditStore;
  /** The store's clock. */
  readonly now: () => number;
  /** Removes secrets that stand in a text by mistake. */
  readonly mask: (text: string) => string;
  /** Tells a refusal, with its reason for the operator, from a fault of ours. */
  readonly describe: (error: unknown) => Refusal;
  /** Called when the end of an act could not be noted. */
  readonly onError: (error: unknown) => void;
}

const dayMs = 86_400_000;
export const auditKeptMs = 365 * dayMs;
export const auditMax = 10_000;
export const refusalsMax = 2_000;
const nameMax = 80;
const targetMax = 320;
const detailMax = 300;
/** Acts of one process; a program may do thousands in an hour. */
const sweptEvery = 200;
const pageEntries = 500;

export function createAudit({ store, now, mask, describe, onError }: AuditOptions): Audit {
  let noted = 0;

  const line = (text: string, max: number): string => toLine(mask(text), max);

  async function add(act: Act, outcome: Outcome, detail = ''): Promise<string> {
    if (noted % sweptEvery === 0) await sweep();
    noted += 1;
    const id = randomBytes(12).toString('hex');
    const { actor, action, target } = act;
    await store.addEntry({
      id,
      actor: { kind: actor.kind, name: line(actor.name, nameMax) },
      action,
      target: line(target, targetMax),
      outcome,
      detail: line(detail, detailMax),
    });
    return id;
  }

  /** The work has ended, so its result counts and not whether this could be noted. */
  async function end({ id, outcome, target, detail }: AuditEnd): Promise<void> {
    try {
      await store.endEntry({ id, outcome, target: line(target, targetMax), detail: line(detail, detailMax) });
    } catch (error) {
      onError(error);
    }
  }

  function sweep(): Promise<void> {
    return store.sweepEntries({ before: now() - auditKeptMs, refusedMax: refusalsMax, othersMax: auditMax });
  }

  return {
    async record({ target, ...act }, work) {
      const id = await add({ ...act, target: target() }, 'begun');
      let result: Awaited<ReturnType<typeof work>>;
      try {
        result = await work();
      } catch (error) {
        await end({ id, target: target(), ...describe(error) });
        throw error;
      }
      await end({ id, target: target(result), outcome: 'done', detail: '' });
      return result;
    },
    async note(act, outcome, detail) {
      await add(act, outcome, detail);
    },
    search: (wanted) => searchEntries(store, now() - auditKeptMs, wanted),
    sweep,
  };
}

async function searchEntries(
  store: Pick<AuditStore, 'listEntries'>,
  since: number,
  { words: text, limit }: AuditSearch,
): Promise<AuditEntry[]> {
  const words = toWords(text);
  const found: AuditEntry[] = [];
  const pageMax = words.length === 0 ? limit : pageEntries;
  let after: AuditEntry | undefined;
  for (;;) {
    const page = await store.listEntries({ since, after, limit: pageMax });
    for (const entry of page) {
      if (matches(entry, words)) found.push(entry);
      if (found.length >= limit) return found;
    }
    after = page.at(-1);
    if (page.length < pageMax) return found;
  }
}

const wordsMax = 10;

/** Returns the words of a search, in any case; none finds everything. */
function toWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, wordsMax);
}

/**
 * Reports whether an entry has all the words, in any of its texts. The time is searched as `2026-11-26 10:15:00`, so
 * that a day is a word.
 */
function matches(entry: AuditEntry, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { actor, action, target, outcome, detail, at } = entry;
  const time = new Date(at).toISOString().slice(0, 19).replace('T', ' ');
  const text = [time, actor.kind, actor.name, action, target, outcome, detail].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}

const mark = '…';
/** Also what changes the direction of text, which could make a line read as another. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

/** Returns a value that an operator gave, or a reason, as one line of bounded length. */
function toLine(text: string, lengthMax: number): string {
  const line = text
    .slice(0, 4 * lengthMax)
    .replace(unprintable, ' ')
    .trim();
  if (line.length <= lengthMax) return line;
  // The cut may be within a character.
  return `${line.slice(0, lengthMax - 1).replace(/\p{Cs}$/u, '')}${mark}`;
}
