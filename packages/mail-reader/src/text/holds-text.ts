// Compares texts the way people do: regardless of case, of how accents are written and of line breaks. Reads the whole
// text; run it in a thread for long ones.

export function holdsText(text: string, part: string): boolean {
  return foldText(text).includes(foldText(part));
}

/** Returns a form in which `includes` tells whether one text contains another. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
