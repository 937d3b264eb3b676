// Whether a text holds another one as people mean it: case, how an accent is written and where lines break say nothing.
// Called for long texts in a thread: it reads all of them.

export function holdsText(text: string, part: string): boolean {
  return foldText(text).includes(foldText(part));
}

/** Of two texts in this form one holds the other where `includes` says so. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
