// Mail that real clients deliver in tests: as bytes, with the expected result of reading it.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { createRandom } from '../random.ts';

export interface SentMail {
  readonly name: string;
  readonly raw: Buffer;
  readonly senderName: string;
  /** Empty when the message names none: then the envelope's is shown. */
  readonly senderEmail: string;
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly { readonly filename: string; readonly size: number }[];
  /** SHA-256 of the first attachment, if a test fetches it. */
  readonly attachmentHash?: string;
}

interface Expected {
  readonly summary: { readonly senderName: string; readonly senderEmail: string; readonly subject: string };
  readonly text: string;
  readonly attachments: readonly { readonly filename: string; readonly size: number }[];
}

const fixtures = {
  plain: 'plain',
  'multipart/alternative': 'alternative',
  'nested with attachments': 'nested-attachments',
  'a subject in ISO-2022-JP': 'iso-2022-jp',
  'a subject in Windows-1251': 'windows-1251',
  'an 8-bit body': 'eight-bit-body',
  'an empty body': 'empty-body',
  'no headers at all': 'no-headers',
} as const;

function fixture(name: string, file: string): SentMail {
  const url = (end: string): URL =>
    new URL(`../../../packages/mail-reader/test/fixtures/eml/${file}.${end}`, import.meta.url);
  const { summary, text, attachments } = JSON.parse(readFileSync(url('expected.json'), 'utf8')) as Expected;
  return { name, raw: readFileSync(url('eml')), ...summary, text, attachments };
}

/** Dots wherever a client or server may forget to stuff or unstuff them. */
function dots(): SentMail {
  const text = '.\n..\n.text\n...\n \n.\n';
  const raw = Buffer.from(`From: a@b.test\r\nSubject: dots\r\n\r\n${text.replaceAll('\n', '\r\n')}`);
  return {
    name: 'dots',
    raw,
    senderName: '',
    senderEmail: 'a@b.test',
    subject: 'dots',
    text,
    attachments: [],
  };
}

/** An attachment of 25 MiB in base64: more than any large provider sends. */
function large(): SentMail {
  const block = createRandom(25).bytes(1024 * 1024);
  const file = Buffer.concat(Array.from({ length: 25 }, () => block));
  const lines = file.toString('base64').replace(/.{76}/g, '$&\r\n');
  const raw = Buffer.from(
    'From: Large <large@b.test>\r\nSubject: large\r\nMIME-Version: 1.0\r\n' +
      'Content-Type: multipart/mixed; boundary=part\r\n\r\n' +
      '--part\r\nContent-Type: text/plain\r\n\r\nSee the file.\r\n' +
      '--part\r\nContent-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n' +
      `Content-Disposition: attachment; filename="large.bin"\r\n\r\n${lines}\r\n--part--\r\n`,
  );
  return {
    name: 'a 25 MB attachment',
    raw,
    senderName: 'Large',
    senderEmail: 'large@b.test',
    subject: 'large',
    text: 'See the file.',
    attachments: [{ filename: 'large.bin', size: file.length }],
    attachmentHash: sha256(file),
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export const sentMails: readonly SentMail[] = [
  ...Object.entries(fixtures).map(([name, file]) => fixture(name, file)),
  dots(),
  large(),
];
