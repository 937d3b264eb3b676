// Reads an .eml file: the message in it, with the line ends that mail has.

const lf = 10;
const cr = 13;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);
const from = Buffer.from('From ');
const sliceBytes = 1024 * 1024;

/**
 * Yields the message in pieces, at most a megabyte of the file at a time, so that a caller can let others have a turn.
 * A byte order mark and the separator line of an mbox file before the header are left out; lines end with CR LF.
 */
export function* readMailFile(file: Buffer): Generator<Buffer> {
  let at = file.subarray(0, 3).equals(byteOrderMark) ? 3 : 0;
  if (file.subarray(at, at + from.length).equals(from)) at = endOfLine(file, at);
  while (at < file.length) {
    const end = endOfLine(file, Math.min(at + sliceBytes, file.length) - 1);
    yield withLineEnds(file.subarray(at, end));
    at = end;
  }
}

function endOfLine(file: Buffer, from: number): number {
  const end = file.indexOf(lf, from);
  return end < 0 ? file.length : end + 1;
}

/** `lines` end with LF, but for the last of a file. */
function withLineEnds(lines: Buffer): Buffer {
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let end = lines.indexOf(lf); end >= 0; end = lines.indexOf(lf, end + 1)) {
    let textEnd = end;
    while (textEnd > copied && lines[textEnd - 1] === cr) textEnd -= 1;
    if (end - textEnd === 1) continue;
    pieces.push(lines.subarray(copied, textEnd), crLf);
    copied = end + 1;
  }
  if (copied === 0) return lines;
  pieces.push(lines.subarray(copied));
  return Buffer.concat(pieces);
}

const crLf = Buffer.from('\r\n');
