// Uuencoded files in plain text: listed, downloaded, and gone from the text; everything else stays text.
import { describe, expect, it } from 'vitest';
import { parseMessage } from '../message/parse-message.ts';
import { decodeTransfer } from './transfer-decoding.ts';

const hello = 'begin 644 hello.txt\n+:&5L;&\\@=V]R;&0`\n`\nend\n';
const cat = 'begin 600 cat one.bin\n#0V%T\n`\nend\n';

function read(body: string, header = 'Subject: x\n') {
  const raw = Buffer.from(`${header}\n${body}`.replaceAll('\n', '\r\n'), 'latin1');
  const { text, attachments } = parseMessage(raw);
  const files = attachments.map(({ id, filename, size, body: { start, end, encoding } }) => {
    const { bytes } = decodeTransfer(raw.subarray(start, end), encoding);
    expect(bytes).toHaveLength(size);
    return [id, filename, bytes.toString('latin1')];
  });
  return { text, files };
}

describe('files in a text', () => {
  it('are listed in order with the text around them', () => {
    expect(read(`See files.\n${hello}and\n${cat}\nbye\n`)).toEqual({
      text: 'See files.\nand\n\nbye\n',
      files: [
        ['1.1', 'hello.txt', 'hello world'],
        ['1.2', 'cat one.bin', 'Cat'],
      ],
    });
  });

  it('are found in a part, and have their name in its charset', () => {
    const part = `--b\nContent-Type: text/plain; charset=koi8-r\n\nx\n${hello.replace('hello.txt', '\xcb\xcf\xc4.txt')}\n--b--\n`;
    expect(read(part, 'Content-Type: multipart/mixed; boundary=b\n')).toEqual({
      text: 'x\n',
      files: [['1.1', 'код.txt', 'hello world']],
    });
  });

  it('may be cut off', () => {
    expect(read('begin 644 cat.bin\n#0V%T\n').files).toEqual([['1.1', 'cat.bin', 'Cat']]);
    expect(read('begin 644 cat.bin\n').files).toEqual([]);
  });

  it.each([
    'begin 644 a.txt\nThis is no data.\nend\n',
    'begin 644 a.txt\n#0V%T\nand then we talked\nend\n',
    'begin with the end\nend\n',
    'x begin 644 a.txt\n#0V%T\nend\n',
    'begin 644 \nend\n',
  ])('are none in %j', (body) => {
    expect(read(body)).toEqual({ text: body, files: [] });
  });

  it('are left alone in HTML and in what is encoded', () => {
    expect(read(hello, 'Content-Type: text/html\n').files).toEqual([]);
    expect(read(hello, 'Content-Transfer-Encoding: quoted-printable\n').files).toEqual([]);
  });

  it('are no more than the parts that a message may have', () => {
    expect(read(cat.repeat(1_100)).files).toHaveLength(999);
  });
});
