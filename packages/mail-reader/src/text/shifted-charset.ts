// Decodes ISO-2022-KR (RFC 1557) and HZ (RFC 1843): seven-bit mail of the nineties, which TextDecoder refuses because
// browsers must. Both shift between ASCII and a table of pairs; with the eighth bit set the pairs are EUC-KR and GBK.
// One pass; damage becomes the decoder's replacement characters.

const eighthBit = 0x80;
const shiftOut = 0x0e;
const shiftIn = 0x0f;
const escape = 0x1b;
const lineFeed = 0x0a;
const tilde = 0x7e;
const opening = 0x7b;
const closing = 0x7d;

/** `label` is lower case; returns undefined for other charsets. */
export function findShiftedDecode(name: string): ((bytes: Buffer) => string) | undefined {
  if (name === 'iso-2022-kr' || name === 'csiso2022kr') {
    const decoder = new TextDecoder('euc-kr');
    return (bytes) => decoder.decode(unshiftKorean(bytes));
  }
  if (name === 'hz-gb-2312' || name === 'hz') {
    const decoder = new TextDecoder('gbk');
    return (bytes) => decoder.decode(unshiftHz(bytes));
  }
  return undefined;
}

function unshiftKorean(bytes: Buffer): Buffer {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  let high = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    // The designator ESC $ ) C occurs once, before the first Korean text.
    if (byte === escape && bytes.toString('latin1', i + 1, i + 4) === '$)C') i += 3;
    else if (byte === shiftOut) high = eighthBit;
    else if (byte === shiftIn) high = 0;
    else out[length++] = byte > 0x20 ? byte | high : byte;
    if (byte === lineFeed) high = 0;
  }
  return out.subarray(0, length);
}

function unshiftHz(bytes: Buffer): Buffer {
  const out = Buffer.alloc(bytes.length);
  let length = 0;
  let high = 0;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] ?? 0;
    const next = bytes[i + 1];
    if (byte === tilde && next === (high ? closing : opening)) {
      high ^= eighthBit;
      i++;
    } else if (byte === tilde && !high && (next === tilde || next === lineFeed)) {
      if (next === tilde) out[length++] = tilde;
      i++;
    } else out[length++] = byte > 0x20 ? byte | high : byte;
    if (byte === lineFeed) high = 0;
  }
  return out.subarray(0, length);
}
