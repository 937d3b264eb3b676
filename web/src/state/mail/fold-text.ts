// Splits a plain text into what its sender wrote and what can be folded: mail that is quoted, and the signature. Joined,
// the pieces are the text. A text that begins with a quotation, as a forwarded one does, has it shown, and so has one whose
// quotation or signature holds what is to be found in it. Pure.

export interface FoldedPiece {
  readonly text: string;
  readonly isFolded: boolean;
}

/** Lines between a program's rule and the first field of the mail below it. */
const fieldWithin = 3;
const field = /^\s*\*?[\p{L} ]{2,20}\*?[:：]\s*\S/u;
/** RFC 3676 §4.3; programs that trim lines write it without the space. */
const signatureMark = /^-- ?\r?$/;
const longestSignature = 12;

/** @param wanted codes and links, which are never folded */
export function foldText(text: string, wanted: readonly string[] = []): readonly FoldedPiece[] {
  const lines = text.split('\n');
  const folded = lines.map(() => false);
  const marksFrom = findOriginal(lines);
  for (let at = marksFrom; at < lines.length; at += 1) folded[at] = true;
  foldQuotes(lines, folded);
  foldSignature(lines, folded);
  const sought = wanted.map(squeeze).filter(Boolean);
  return join(lines, folded).map((piece) => ({
    ...piece,
    isFolded: piece.isFolded && !sought.some((one) => squeeze(piece.text).includes(one)),
  }));
}

/** A code may be written in groups, and a quoted link over several lines. */
function squeeze(text: string): string {
  return text.replace(/[\s>-]+/g, '');
}

/** Returns the first line of a mail that is appended whole, or the number of lines. */
function findOriginal(lines: readonly string[]): number {
  const found = lines.findIndex(
    (line, at) =>
      isOriginalMessage(line) && lines.slice(at + 1, at + 1 + fieldWithin).some((next) => field.test(next)),
  );
  return found < 0 ? lines.length : found;
}

function foldQuotes(lines: readonly string[], folded: boolean[]): void {
  let at = 0;
  while (at < lines.length) {
    if (!isQuoted(lines[at])) {
      at += 1;
      continue;
    }
    let end = at;
    let last = at;
    while (end < lines.length && (isQuoted(lines[end]) || isBlank(lines[end]))) {
      if (isQuoted(lines[end])) last = end;
      end += 1;
    }
    for (let line = firstOfQuote(lines, at); line <= last; line += 1) folded[line] = true;
    at = end;
  }
}

/** Includes the one or two lines that say who wrote it, and a blank line after them. */
function firstOfQuote(lines: readonly string[], at: number): number {
  let above = at - 1;
  if (isBlank(lines[above])) above -= 1;
  if (!isAttribution(lines[above] ?? '')) return at;
  const isBroken =
    !isBlank(lines[above - 1]) && /^\S.{30,}$/.test(lines[above - 1] ?? '') && isBlank(lines[above - 2]);
  return isBroken ? above - 1 : above;
}

function foldSignature(lines: readonly string[], folded: boolean[]): void {
  const from = lines.findLastIndex((line, at) => signatureMark.test(line) && folded[at] !== true);
  if (from < 0) return;
  const rest = lines.slice(from);
  const length = rest.findIndex((_, at) => folded[from + at] === true);
  const end = length < 0 ? rest.length : length;
  if (rest.slice(0, end).filter((line) => !isBlank(line)).length > longestSignature) return;
  for (let at = from; at < from + end; at += 1) folded[at] = true;
}

function isQuoted(line: string | undefined): boolean {
  return line?.startsWith('>') === true;
}

function isBlank(line: string | undefined): boolean {
  return line === undefined || line.trim() === '';
}

function join(lines: readonly string[], folded: readonly boolean[]): readonly FoldedPiece[] {
  const first = lines.findIndex((line, at) => folded[at] !== true && !isBlank(line));
  const pieces: { text: string; isFolded: boolean }[] = [];
  for (const [at, line] of lines.entries()) {
    // Before the sender's own first words nothing is folded, so that something is always shown.
    const isFolded = folded[at] === true && first >= 0 && at > first;
    const text = at < lines.length - 1 ? `${line}\n` : line;
    const last = pieces.at(-1);
    if (last?.isFolded === isFolded) last.text += text;
    else pieces.push({ text, isFolded });
  }
  return pieces;
}

/** Reports whether the line is like "----- Original Message -----", or a rule. */
function isOriginalMessage(line: string): boolean {
  const text = line.trim();
  if (/^_{20,}$/.test(text)) return true;
  return text.startsWith('---') && text.endsWith('---') && text.slice(3, -3).trim().length >= 2;
}

/** Reports whether the line may name who wrote the text below: so such lines end in most languages. */
function isAttribution(line: string): boolean {
  const text = line.trimEnd();
  return /[:：]$/.test(text) && text.replace(/^[\s>]+/, '').length >= 5;
}
