// Turns offsets into lines and columns, for people who look for a finding in their template.

export interface SourcePlace {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
  /** The source from there on, on one line. */
  readonly excerpt: string;
}

const excerptChars = 80;

export class SourceLines {
  readonly #source: string;
  #starts: number[] | undefined;

  constructor(source: string) {
    this.#source = source;
  }

  placeOf(offset: number): SourcePlace {
    const starts = (this.#starts ??= this.#findStarts());
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return {
      line: low + 1,
      column: offset - (starts[low] ?? 0) + 1,
      excerpt: toExcerpt(this.#source.slice(offset, offset + 2 * excerptChars)),
    };
  }

  #findStarts(): number[] {
    const starts = [0];
    for (let at = this.#source.indexOf('\n'); at >= 0; at = this.#source.indexOf('\n', at + 1)) {
      starts.push(at + 1);
    }
    return starts;
  }
}

export function toExcerpt(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  const kept = line.length <= excerptChars ? line : `${line.slice(0, excerptChars - 1)}…`;
  return kept.replaceAll(/\p{Surrogate}/gu, '\ufffd');
}
