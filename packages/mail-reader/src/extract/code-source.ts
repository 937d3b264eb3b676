// One text in which codes are searched, with everything the scorer needs prepared once. Made by find-codes.ts for the
// subject, the plain text, and the visible and hidden text of the HTML.
import { sortOutBorrowed } from './borrowed-words.ts';
import { foldCase } from './fold-text.ts';
import { matchCodeWords, type MeaningHit } from './match-words.ts';
import { tellLanguages } from './tell-languages.ts';
import type { HtmlLink, Prominent } from './read-html.ts';

const senderMax = 200;

type SourceName = 'subject' | 'text' | 'html' | 'hidden';

export interface Line {
  readonly start: number;
  readonly end: number;
}

export interface CodeSource {
  readonly name: SourceName;
  /** Clean text (see cleanText); all offsets refer to it. */
  readonly text: string;
  readonly folded: string;
  /** Non-empty lines, in order. */
  readonly lines: Line[];
  readonly hits: MeaningHit[];
  readonly prominent: Prominent[];
  readonly links: HtmlLink[];
}

/** A text before the message's languages are known. */
export interface ReadText {
  readonly name: SourceName;
  readonly clean: string;
  readonly look?: { readonly prominent: Prominent[]; readonly links: HtmlLink[] };
}

/** Returns the texts of one message with the keywords of its languages. */
export function createCodeSources(texts: readonly ReadText[], senderName: string): CodeSource[] {
  const folded = texts.map(({ clean }) => foldCase(clean));
  const languages = tellLanguages(folded);
  const sender = foldCase(senderName.slice(0, senderMax));
  return texts.map(({ name, clean, look }, i): CodeSource => {
    const lower = folded[i] ?? '';
    return {
      name,
      text: clean,
      folded: lower,
      lines: splitLines(clean),
      hits: sortOutBorrowed({ text: clean, folded: lower }, matchCodeWords(lower, languages), sender),
      prominent: look?.prominent ?? [],
      links: look?.links ?? [],
    };
  });
}

function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    if (hasInk(text, start, end)) lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

/** Reports whether anything but spaces and tabs is there. */
export function hasInk(text: string, start: number, end: number): boolean {
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i);
    if (unit !== 32 && unit !== 9) return true;
  }
  return false;
}

/** Returns the index of the first item that starts at or after `offset`; items must be in order of start. */
export function firstAtOrAfter(items: readonly { start: number }[], offset: number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((items[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
