// Decoding in pieces equals decoding the whole.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../test/support/random.ts';
import { parseMessage } from '../message/parse-message.ts';
import { createTransferDecoder, decodePieces } from './transfer-decoder.ts';
import { decodeTransfer } from './transfer-decoding.ts';

const folder = new URL('../../test/fixtures/eml/', import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.eml'));
const encodings = ['base64', 'quoted-printable', '', '8bit', 'x-uuencode'];

function decodeIn(pieces: readonly Buffer[], encoding: string): Buffer {
  const decode = createTransferDecoder(encoding);
  return Buffer.concat([...pieces.map((piece) => decode(piece, false)), decode(Buffer.alloc(0), true)]);
}

function cutAt(body: Buffer, cuts: readonly number[]): Buffer[] {
  return [0, ...cuts].map((from, index) => body.subarray(from, cuts[index] ?? body.length));
}

describe('createTransferDecoder', () => {
  it.each([
    'a=\r\nb =3D\t \r\nc= \t\r\nd = x =4 =4G ==3D= end \t',
    '=\r\n=0',
    '= ',
    '=\r',
    ' \r\n \r \n\r\r\n=',
    'QUJD=RA==QQ= =\r\nQkM',
    'QUJ\r\nDRA\t-_QQ',
    '====',
  ])('decodes %j the same wherever it is cut', (text) => {
    const body = Buffer.from(text, 'latin1');
    for (const encoding of encodings) {
      const whole = decodeTransfer(body, encoding).bytes;
      for (let first = 0; first <= body.length; first++) {
        for (let second = first; second <= body.length; second++) {
          const pieces = cutAt(body, [first, second]);
          expect(decodeIn(pieces, encoding).toString('latin1')).toBe(whole.toString('latin1'));
        }
      }
      const bytes = cutAt(
        body,
        Array.from({ length: body.length }, (_, at) => at),
      );
      expect(decodeIn(bytes, encoding).equals(whole)).toBe(true);
    }
  });

  it('decodes generated bodies the same however they are cut (seed 5)', () => {
    const random = createRandom(5);
    const alphabet = ['=', ' ', '\t', '\r', '\n', '\r\n', '=\r\n', 'A', '4', 'g', '=3D', 'QUJD', 'é'];
    for (let round = 0; round < 500; round++) {
      const text = Array.from(
        { length: random.below(60) },
        () => alphabet[random.below(alphabet.length)],
      ).join('');
      const body = Buffer.from(text, 'latin1');
      const cuts = Array.from({ length: random.below(6) }, () => random.below(body.length + 1)).sort(
        (a, b) => a - b,
      );
      for (const encoding of ['base64', 'quoted-printable']) {
        const whole = decodeTransfer(body, encoding).bytes;
        expect(decodeIn(cutAt(body, cuts), encoding).equals(whole), JSON.stringify({ text, cuts })).toBe(
          true,
        );
      }
    }
  });
});

it.each(fixtures)('returns as many bytes as listed for the attachments of %s', async (name) => {
  const raw = readFileSync(new URL(name, folder));
  const { attachments } = parseMessage(raw);
  for (const { body, size } of attachments) {
    async function* pieces(): AsyncGenerator<Buffer> {
      for (let at = body.start; at < body.end; at += 7) {
        yield await Promise.resolve(raw.subarray(at, Math.min(at + 7, body.end)));
      }
    }
    const decoded: Buffer[] = [];
    for await (const piece of decodePieces(pieces(), body.encoding)) decoded.push(piece);
    expect(Buffer.concat(decoded).length).toBe(size);
  }
});

it('returns an enclosed message unchanged', () => {
  const raw = readFileSync(new URL('forwarded-message.eml', folder));
  const [attachment] = parseMessage(raw).attachments;
  const { start = 0, end = 0, encoding = '' } = attachment?.body ?? {};
  expect(decodeTransfer(raw.subarray(start, end), encoding).bytes.toString()).toMatch(
    /^From: x@example\.org\r\n[^]*--inner--$/,
  );
});
