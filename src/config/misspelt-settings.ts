// Finds environment variables that were meant to be settings: a start that ignored one would run with a default that
// the operator believes changed.

import { findNearName } from '../domain/near-name.ts';

/** Variables of other programs of this repository, which may share the service's environment. */
const foreign = /^MAYFLY_(?:URL|API_KEY|TOKEN|WORKER|BIN|MCP_SECRET|TEST_\w+)$/;
/** Variables that Kubernetes and Docker's links set for a service called `mayfly` or `mayfly-http`. */
const ofOrchestrator =
  /^MAYFLY_(?:\w+_)?(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_\w+)?)$/;
const prefix = 'MAYFLY_';

export interface UnknownVariable {
  readonly name: string;
  /** The setting that it was probably meant to be. */
  readonly meant: string | undefined;
}

/** Returns variables that begin with MAYFLY_, or nearly so, but are no settings. */
export function findUnknownNames(names: Iterable<string>, settings: readonly string[]): UnknownVariable[] {
  const known = new Set(settings);
  return Array.from(names).flatMap((name): UnknownVariable[] => {
    const upper = name.toUpperCase();
    if (known.has(name) || foreign.test(upper) || ofOrchestrator.test(upper)) return [];
    if (upper.startsWith(prefix)) return [{ name, meant: findMeant(upper, settings) }];
    const meant = /^M.*_/.test(upper) ? findNearName(upper, settings, 2) : undefined;
    return meant === undefined ? [] : [{ name, meant }];
  });
}

/** By its letters; else by its words, of which some are missing or too many. */
function findMeant(name: string, settings: readonly string[]): string | undefined {
  const letters = name.length - prefix.length;
  const near = findNearName(name, settings, Math.max(2, Math.floor(letters / 5)));
  return near ?? findSameWords(wordsOf(name), settings);
}

/**
 * Returns the setting that has all the words of `given`, or whose words are all in `given`, with the fewest that differ.
 * Two words at least, since one alone, such as HTTP, says little.
 */
function findSameWords(given: readonly string[], settings: readonly string[]): string | undefined {
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

function wordsOf(name: string): string[] {
  return name.slice(prefix.length).split('_');
}
