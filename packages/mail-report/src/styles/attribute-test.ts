// The part of a selector in brackets: `[href^="http:"]`.
import type { SelectorText } from './selector-text.ts';

export interface AttributeTest {
  readonly name: string;
  readonly test: (value: string) => boolean;
  /** The result for an element without the attribute. */
  readonly ofAbsent: boolean;
}

/** Reads on from behind the opening bracket. */
export function readAttributeTest(source: SelectorText): AttributeTest | undefined {
  source.skipSpace();
  const name = source.readIdentifier()?.toLowerCase();
  if (name === undefined) return undefined;
  source.skipSpace();
  if (source.take(']')) return { name, test: () => true, ofAbsent: false };
  const operator = source.match(/[!~|^$*]?=/y);
  if (operator === undefined) return undefined;
  source.skipSpace();
  const isQuoted = source.peek() === '"' || source.peek() === "'";
  const wanted = isQuoted ? source.readString() : source.readIdentifier();
  if (wanted === undefined) return undefined;
  source.skipSpace();
  const ignoresCase = source.match(/i/iy) !== undefined;
  source.skipSpace();
  if (!source.take(']')) return undefined;
  const fold = (text: string): string => (ignoresCase ? text.toLowerCase() : text);
  const test = toTest(operator, fold(wanted));
  return { name, test: (value) => test(fold(value)), ofAbsent: operator === '!=' };
}

function toTest(operator: string, wanted: string): (value: string) => boolean {
  switch (operator) {
    case '=':
      return (value) => value === wanted;
    case '!=':
      return (value) => value !== wanted;
    case '~=':
      return (value) => value.split(/[ \t\r\n\f]/).includes(wanted);
    case '|=':
      return (value) => value === wanted || value.startsWith(`${wanted}-`);
    case '^=':
      return (value) => value.trim() !== '' && value.startsWith(wanted);
    case '$=':
      return (value) => value.trim() !== '' && value.endsWith(wanted);
    default:
      return (value) => value.trim() !== '' && value.includes(wanted);
  }
}
