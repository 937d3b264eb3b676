// Compared with the output of Python's uu, whole and cut anywhere.
import { describe, expect, it } from 'vitest';
import { createTransferDecoder } from './transfer-decoder.ts';
import { decodeTransfer, measureTransfer } from './transfer-decoding.ts';

/** All byte values, in lines of 45, by binascii.b2a_uu. */
const bytes = Buffer.from(Array.from({ length: 130 }, (_, i) => (i * 83 + 7) & 255));
const lines: string[] = [
  'M!UJM %.F^4R?\\D68ZSZ1Y#>*W3"#UBE\\SR)UR!MNP11GN@U@LP99K/]2I?A+',
  'MGO%$E^H]D.,VB=PO@M4H>\\XA=,<:;<`39KD,7[(%6*O^4:3W2IWP0Y;I/(_B',
  "H-8C;+H'4)WK-('/&&6R_$F6X\"UZQ!%>J_5\"C]DF<[T*5Z#N.X32'V@  ",
];

function decodeIn(body: Buffer, size: number): Buffer {
  const decode = createTransferDecoder('x-uuencode');
  const out: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) out.push(decode(body.subarray(at, at + size), false));
  return Buffer.concat([...out, decode(Buffer.alloc(0), true)]);
}

describe('x-uuencode', () => {
  const data = lines.join('\r\n');
  it.each([
    ['as encoders write it', `begin 644 a file.bin\r\n${data}\r\n\`\r\nend\r\n`],
    ['with bare LF', `begin 644 a.bin\n${data.replaceAll('\r', '')}\n \nend\n`],
    ['after empty lines', `\r\n \r\nbegin 0644 a\r\n${data}\r\n\`\r\nend`],
    ['without its first and last line', data],
    ['cut off after the data', `begin 644 a\r\n${data}`],
    ['with more after it', `begin 644 a\r\n${data}\r\n\`\r\nend\r\nbegin 644 b\r\n#0V%T\r\nend`],
    ['without the spaces that end lines', `begin 644 a\r\n${data.replace(/[ \x60]+(?=\r\n)/g, '')}\r\nend`],
  ])('is decoded %s', (_, text) => {
    const body = Buffer.from(text, 'latin1');
    expect(decodeTransfer(body, 'x-uuencode')).toEqual({ bytes, clean: true });
    expect(measureTransfer(body, 'x-uuencode')).toBe(bytes.length);
    for (let size = 1; size < 70; size += 1) expect(decodeIn(body, size).equals(bytes)).toBe(true);
  });

  it.each(['Your code is 482913.\r\n', '', '\r\n', 'begin with this\r\n', `${'x'.repeat(300)}\r\n`])(
    'leaves %j unchanged',
    (text) => {
      const body = Buffer.from(text, 'latin1');
      expect(decodeTransfer(body, 'x-uuencode')).toEqual({ bytes: body, clean: false });
      expect(decodeIn(body, 1).equals(body)).toBe(true);
    },
  );

  it('skips lines that are not uuencoded', () => {
    const body = Buffer.from(`begin 644 a\r\n${'M'.repeat(500)}\r\n~~~\r\n#0V%T\r\nend\r\n`);
    expect(decodeTransfer(body, 'x-uuencode')).toEqual({ bytes: Buffer.from('Cat'), clean: false });
    for (const size of [1, 7, 64, 300]) expect(decodeIn(body, size).toString()).toBe('Cat');
  });
});
