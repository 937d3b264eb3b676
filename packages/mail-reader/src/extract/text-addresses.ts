// Finds the addresses written out in a text: of web pages, of apps, and tel:, sms: and mailto:. Line breaks within `<…>`
// do not end one (RFC 3986 appendix C), nor does the column at which a mailer wrapped it. One pass.

export interface TextAddress {
  readonly address: string;
  /** Where it stands in the text, brackets not included. */
  readonly start: number;
  readonly end: number;
}

const urlMax = 4096;
const stops = '\\s<>"\'`\\u00a0\\u3000-\\u3002\\uff08-\\uff0c「」『』«»\\u2018-\\u201f';
/**
 * With `//` any scheme will do; with one slash only one with dots in it, `com.example.app:/x`, as text has colons and
 * slashes too. The bounds keep a long word from being read again and again.
 */
const addresses = new RegExp(
  '(?:https?://|(?<![a-z\\d+.-])(?:' +
    '[a-z][a-z\\d+.-]{1,60}://|[a-z][a-z\\d-]{0,30}(?:\\.[a-z\\d-]{1,30}){1,5}:/(?=[a-z\\d?])|' +
    `(?:mailto|tel|sms):(?=[+\\w])|www\\.(?=[a-z\\d-]+\\.)))[^${stops}]+`,
  'gi',
);
/** The columns at which mailers wrap. */
const wrapFrom = 68;
const wrapTo = 80;
const wholeLine = new RegExp(`^[^${stops}]+$`);
const linesMax = 40;

/** `hasLines` says whether lines were made by the sender's mailer; those of HTML end with its blocks. */
export function* findTextAddresses(text: string, hasLines: boolean): Generator<TextAddress> {
  const pattern = new RegExp(addresses);
  let close = -1;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const start = match.index + Math.max(0, match[0].search(/https?:\/\//i));
    const isAngled = hasLines && /<(?:URL:)?$/i.test(text.slice(Math.max(0, start - 5), start));
    // The next bracket is searched for once.
    if (isAngled && close < start) close = endOf(text, start);
    const found = isAngled ? readAngled(text, start, close) : undefined;
    const end = match.index + match[0].length;
    const next = found ?? readWrapped(text, { address: text.slice(start, end), start, end }, hasLines);
    pattern.lastIndex = Math.max(next.end, end);
    yield { ...next, address: next.address.replace(/^www\./i, 'http://$&') };
  }
}

function endOf(text: string, from: number): number {
  const found = text.indexOf('>', from);
  return found < 0 ? text.length : found;
}

/** Returns the address up to the bracket if only line breaks interrupt it. */
function readAngled(text: string, start: number, close: number): TextAddress | undefined {
  if (close >= text.length || close - start > urlMax) return undefined;
  const lines = text.slice(start, close).split('\n');
  const address = lines.map((line) => line.trim()).join('');
  return wholeLine.test(address) && lines.length <= linesMax ? { address, start, end: close } : undefined;
}

/** Adds the lines in which an address goes on that fills its own line. */
function readWrapped(text: string, found: TextAddress, hasLines: boolean): TextAddress {
  let { address, end } = found;
  // Looking back no further than the widest column keeps this linear.
  const before = text.slice(Math.max(0, end - wrapTo - 1), end);
  let width = before.length - before.lastIndexOf('\n') - 1;
  for (let lines = 0; hasLines && lines < linesMax && address.length < urlMax; lines++) {
    const from = end + (/^\r?\n/.exec(text.slice(end, end + 2))?.[0].length ?? 0);
    if (from === end || width < wrapFrom || width > wrapTo) break;
    const [next = ''] = text.slice(from, from + wrapTo + 2).split('\n', 1);
    const line = next.trimEnd();
    if (line.length > wrapTo || !wholeLine.test(line) || !goesOn(address, line)) break;
    width = line.length;
    address += line;
    end = from + line.length;
  }
  return { address: trimUrl(address), start: found.start, end };
}

/** Whether a line is more of an address rather than a word or a code of its own. */
function goesOn(address: string, next: string): boolean {
  if (next.includes('://') || /^\d+\W?$/.test(next)) return false;
  return (
    /[=&%/?#_]/.test(next) || /\d[a-z]|[a-z]\d/i.test(next) || next.length >= 20 || /[=&?%/_-]$/.test(address)
  );
}

/** Punctuation after a URL belongs to the sentence; a closing bracket too, unless the URL opened one. */
export function trimUrl(url: string): string {
  if (url.length > urlMax) return url;
  const surplus = { ')': countOf(url, ')') - countOf(url, '('), ']': countOf(url, ']') - countOf(url, '[') };
  let end = url.length;
  for (; end > 0; end--) {
    const last = url.charAt(end - 1);
    if (last === ')' || last === ']') {
      if (surplus[last] <= 0) break;
      surplus[last]--;
    } else if (!/[.,;:!?*_~]/.test(last)) break;
  }
  return url.slice(0, end);
}

function countOf(text: string, char: string): number {
  return text.split(char).length - 1;
}
