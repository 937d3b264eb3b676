// Finds environment variables that were meant to be settings: a start that ignored one would run with a default that
// the operator believes changed.

import { findNearName } from './near-name.ts';

export interface UnknownVariable {
  readonly name: string;
  /** The setting that it was probably meant to be. */
  readonly meant: string | undefined;
}

export interface KnownNames {
  /** Begins every setting, in capitals. */
  readonly prefix: string;
  readonly settings: readonly string[];
  /** Matches names, in capitals, that belong to other programs. */
  readonly foreign: readonly RegExp[];
}

/** Returns variables that begin with the prefix, or nearly so, but are no settings. */
export function findUnknownNames(
  names: Iterable<string>,
  { prefix, settings, foreign }: KnownNames,
): UnknownVariable[] {
  const known = new Set(settings);
  const nearPrefix = new RegExp(`^${prefix[0] ?? ''}.*_`);
  return Array.from(names).flatMap((name): UnknownVariable[] => {
    const upper = name.toUpperCase();
    if (known.has(name) || foreign.some((one) => one.test(upper))) return [];
    if (upper.startsWith(prefix)) return [{ name, meant: findMeant(upper, prefix, settings) }];
    const meant = nearPrefix.test(upper) ? findNearName(upper, settings, 2) : undefined;
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** By its letters; else by its words, some of which are missing or too many. */
function findMeant(name: string, prefix: string, settings: readonly string[]): string | undefined {
  const letters = name.length - prefix.length;
  const near = findNearName(name, settings, Math.max(2, Math.floor(letters / 5)));
  return near ?? findSameWords(name, prefix, settings);
}

/**
 * Returns the setting that has all the words of `name`, or whose words are all in it, with the fewest that differ.
 * Two words at least, since one alone, such as HTTP, says little.
 */
function findSameWords(name: string, prefix: string, settings: readonly string[]): string | undefined {
  const wordsOf = (one: string): string[] => one.slice(prefix.length).split('_');
  const given = wordsOf(name);
  const [best] = settings
    .flatMap((setting) => {
      const words = wordsOf(setting);
      const lacking = words.filter((word) => !given.includes(word)).length;
      const surplus = given.filter((word) => !words.includes(word)).length;
      const isEither = Math.min(lacking, surplus) === 0 && Math.min(words.length, given.length) >= 2;
      return isEither ? [{ setting, lacking, surplus }] : [];
    })
    .sort((a, b) => a.surplus - b.surplus || a.lacking - b.lacking);
  return best?.setting;
}
