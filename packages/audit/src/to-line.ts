// Texts for entries: a value that an operator gave, or a reason, as one line of bounded length.

const mark = '…';
/** Also what changes the direction of text, which could make a line read as another. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

export function toLine(text: string, maxLength: number): string {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(unprintable, ' ')
    .trim();
  if (line.length <= maxLength) return line;
  // The cut may be within a character.
  return `${line.slice(0, maxLength - 1).replace(/\p{Cs}$/u, '')}${mark}`;
}
