// The corpus of hostile HTML in test/fixtures/html, for tests of the sanitiser and in a browser. One payload a line,
// one file a class; `\\n`, `\\xHH` and `\\\\` stand for the bytes, {{RUN}} for a script that reports itself. All loads
// go to canary.test.
import { readdirSync, readFileSync } from 'node:fs';

export interface HtmlPayload {
  /** File and line, or the advisory's id. */
  readonly name: string;
  readonly html: string;
}

/** Run by a payload if it can; visible on the console, whatever the frame's restrictions. */
export const runMarker = 'mayfly-pwned';
const script = `console.log(\`${runMarker}\`);window.__pwned=1;alert(1)`;
const folder = new URL('../fixtures/html/', import.meta.url);

export function readHtmlPayloads(): HtmlPayload[] {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .toSorted();
  return files.flatMap((file) => {
    const lines = readFileSync(new URL(file, folder), 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    return lines.map((line, i) => toPayload(`${file.replace('.txt', '')}:${i + 1}`, line));
  });
}

function toPayload(place: string, line: string): HtmlPayload {
  const [first = '', ...rest] = line.split('\t');
  const [name, text] = rest.length > 0 ? [`${first} (${place})`, rest.join('\t')] : [place, line];
  return { name, html: unescape(text).replaceAll('{{RUN}}', script) };
}

function unescape(text: string): string {
  return text.replace(/\\(n|\\|x([0-9a-f]{2}))/g, (_, kind: string, hex?: string) => {
    if (hex !== undefined) return String.fromCharCode(parseInt(hex, 16));
    return kind === 'n' ? '\n' : '\\';
  });
}
