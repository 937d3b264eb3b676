// Makes text from senders safe for a terminal, by removing control characters, escape sequences and changes of
// direction. Pure.

/**
 * Controls (C0, DEL, C1; terminals act on ESC and CSI), line and paragraph separators, marks that change the direction
 * of text, zero-width characters except the joiners needed by emoji and some scripts, tags, and unpaired surrogates.
 */
const unfit =
  /[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e0fff}]|\p{Cs}/gu;
const placeholder = '\ufffd';

/** Returns a single line; line ends and tabs become spaces. */
export function toLine(text: string): string {
  return text.replace(/[\t\r\n]+/g, ' ').replace(unfit, placeholder);
}

/** Returns the text with its lines; tabs become four spaces. */
export function toBlock(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll('\t', '    ').replace(unfit, placeholder))
    .join('\n');
}

/** Characters that are two columns wide in most terminals: East Asian scripts and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{1faff}]|[\u{20000}-\u{3fffd}]/u;
const narrow = /\p{M}|[\u200c\u200d]/u;

/** Returns the beginning of a line that fits the columns. */
export function cutToWidth(line: string, columns: number): string {
  let width = 0;
  let cut = '';
  for (const letter of line) {
    width += narrow.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
    if (width > columns) return cut;
    cut += letter;
  }
  return cut;
}

/** Formats JSON with the interface's names; characters unsafe for a terminal are escaped, so that nothing is lost. */
export function toJson(value: unknown): string {
  return JSON.stringify(toInterface(value)).replace(unfit, escapeUnits);
}

function escapeUnits(text: string): string {
  return Array.from({ length: text.length }, (_, at) => {
    return `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  }).join('');
}

function toInterface(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString().replace(/\.\d+Z$/, 'Z');
  if (Array.isArray(value)) return value.map(toInterface);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      toInterface(item),
    ]),
  );
}
