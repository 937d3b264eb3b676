// A letter and a tone for a sender, to make rows easy to tell apart. Pure. Both depend on the sender's claims and
// prove nothing.

export interface Monogram {
  readonly letter: string;
  /** 0 to 7: a colour in the style sheets. */
  readonly tone: number;
}

const tones = 8;

export function toMonogram(name: string, email: string): Monogram {
  const letter = /[\p{L}\p{N}]/u.exec(name || email)?.[0] ?? '?';
  return { letter: letter.toUpperCase().slice(0, 2), tone: hash((email || name).toLowerCase()) % tones };
}

function hash(text: string): number {
  let sum = 0;
  for (const char of text.slice(text.lastIndexOf('@') + 1)) {
    sum = (sum * 31 + (char.codePointAt(0) ?? 0)) % 1_000_003;
  }
  return sum;
}
