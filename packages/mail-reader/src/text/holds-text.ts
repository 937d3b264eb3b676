// Whether a text holds another one as people mean it: case, how an accent is written and where lines break say nothing.
// Called by wait-mail, for long texts in a thread: it reads all of them.

export function holdsText(text: string, part: string): boolean {
  return fold(text).includes(fold(part));
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ');
}
