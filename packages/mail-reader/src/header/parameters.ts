// Parses the parameters of Content-Type and Content-Disposition (RFC 2045 §5.1, RFC 2231, RFC 8187), for every part
// and for the charset of a summary. Linear and bounded; the first of duplicates wins. The value must be unfolded.
import { decodeCharset } from '../text/charset.ts';
import { decodeRawBytes, decodeWords } from './decode-words.ts';
import { splitParameters } from './parameter-tokens.ts';

export interface ParameterizedValue {
  /** Lower case, without comments; '' for none. */
  readonly value: string;
  /** Decoded values by lower-case name without RFC 2231 suffix. */
  readonly parameters: Map<string, string>;
  /** The values as written, as byte strings: a boundary is compared, not read. */
  readonly rawParameters: Map<string, string>;
  /** Whether readers may disagree, for example on a repeated name (THREATS class: parser ambiguity). */
  readonly ambiguous: boolean;
}

const parametersMax = 200;
const valueMaxChars = 65_536;

interface Piece {
  readonly index: number;
  readonly encoded: boolean;
  readonly text: string;
}

/** Parses an unfolded byte string; `declared` is the charset to try for raw bytes that are not UTF-8. Never throws. */
export function parseParameters(field: string, declared: string | null = null): ParameterizedValue {
  const { value, tokens } = splitParameters(field.slice(0, valueMaxChars), parametersMax + 1);
  const parameters = new Map<string, string>();
  const rawParameters = new Map<string, string>();
  const continued = new Map<string, Piece[]>();
  let ambiguous = tokens.length > parametersMax;
  for (const token of tokens.slice(0, parametersMax)) {
    const name = token.name.toLowerCase();
    const match = /^([^*]+)(?:\*(\d{1,3}))?(\*)?$/.exec(name);
    const base = match?.[1] ?? name;
    const encoded = match?.[3] !== undefined;
    if (match !== null && (match[2] !== undefined || encoded)) {
      const pieces = continued.get(base) ?? [];
      const index = Number(match[2] ?? 0);
      if (pieces.some((piece) => piece.index === index)) ambiguous = true;
      else pieces.push({ index, encoded, text: token.text });
      continued.set(base, pieces);
    } else if (rawParameters.has(base)) {
      ambiguous ||= rawParameters.get(base) !== token.text;
    } else {
      rawParameters.set(base, token.text);
      parameters.set(base, decodeWords(token.text, declared));
    }
  }
  // The extended form wins over the plain one that senders add for old readers (RFC 8187 §4.2).
  for (const [base, pieces] of continued) {
    const joined = joinPieces(pieces, declared);
    if (joined === undefined) ambiguous = true;
    else parameters.set(base, joined);
  }
  return { value: value.toLowerCase(), parameters, rawParameters, ambiguous };
}

/** Joins the pieces 0, 1, 2 … up to the first gap (RFC 2231 §3–4); undefined without piece 0. */
function joinPieces(pieces: Piece[], declared: string | null): string | undefined {
  pieces.sort((a, b) => a.index - b.index);
  const first = pieces[0];
  if (first?.index !== 0) return undefined;
  let charset: string | null = null;
  const chunks: Buffer[] = [];
  for (const [expected, piece] of pieces.entries()) {
    if (piece.index !== expected) break;
    let text = piece.text;
    if (piece === first && piece.encoded) {
      const quote = text.indexOf("'");
      const second = text.indexOf("'", quote + 1);
      if (quote >= 0 && second >= 0) {
        charset = text.slice(0, quote);
        text = text.slice(second + 1);
      }
    }
    chunks.push(piece.encoded ? decodePercent(text) : Buffer.from(text, 'latin1'));
  }
  const bytes = Buffer.concat(chunks);
  // Encoded words do not belong here (RFC 2231 §2), but senders put whole ones into the pieces.
  if (bytes.includes('=?')) return decodeWords(bytes.toString('latin1'), charset || declared);
  return charset ? decodeCharset(bytes, charset).text : decodeRawBytes(bytes.toString('latin1'), declared);
}

function decodePercent(text: string): Buffer {
  const decoded = text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
  return Buffer.from(decoded, 'latin1');
}
