// The declarations of one element, with variables resolved. Made for each element by look.ts.
import type { Declarations } from './style-rules.ts';

const variablesMax = 200;
/** A variable may name others. */
const roundsMax = 4;
const valueMaxChars = 2_000;

export class Style {
  readonly #declared: Declarations;
  readonly #variables: Declarations;

  constructor(declared: Declarations, variables: Declarations) {
    this.#declared = declared;
    this.#variables = variables;
  }

  /** An unresolved value still contains `var(`, which nothing understands. */
  get(property: string): string | undefined {
    let value = this.#declared.get(property);
    for (let round = 0; round < roundsMax && value?.includes('var(') === true; round += 1) {
      if (value.length > valueMaxChars) return 'var(';
      value = value.replaceAll(
        /var\(\s*(--[^\s,()]+)\s*(?:,([^()]*))?\)/g,
        (_, name: string, fallback?: string) => this.#variables.get(name)?.trim() ?? fallback?.trim() ?? '',
      );
    }
    return value;
  }

  /** Returns the first that is set. */
  first(...properties: readonly string[]): string | undefined {
    return properties.map((property) => this.get(property)).find((value) => value !== undefined);
  }

  get properties(): Iterable<string> {
    return this.#declared.keys();
  }
}

export function collectVariables(declared: Declarations, inherited: Declarations): Declarations {
  const own = [...declared].filter(([property]) => property.startsWith('--'));
  return own.length === 0 ? inherited : new Map([...inherited, ...own].slice(-variablesMax));
}
