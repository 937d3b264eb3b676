// Words of no language, for mail of which no list and no stem knows a word.
import type { Kit } from './kit.ts';

const unknownSyllables = 'ho oko mo e kia ma u helu lo ka pu a ani hama wai kua nga te oe fa ala'.split(' ');

/** A sentence of a language that does not exist. */
export function unknownWords({ pick, below }: Kit, count: number): string {
  const word = (): string => Array.from({ length: 1 + below(3) }, () => pick(unknownSyllables)).join('');
  const text = Array.from({ length: count }, word).join(' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}
