// The mails that other catchers and the service take alike: those of the reader's own tests, those for its styles, and
// some for what dialects show beside the text.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const folders = [
  'packages/mail-reader/test/fixtures/eml',
  'test/fixtures/styles',
  'test/fixtures/peers/mails',
];

export interface PeerMail {
  readonly name: string;
  /** One character per byte, with the line ends of SMTP; ends in one. */
  readonly text: string;
  /** Its own, by which it is found again. */
  readonly recipient: string;
}

function readMail(folder: string, file: string, at: number): PeerMail {
  const lines = readFileSync(path.join(folder, file), 'latin1').replace(/\r?\n/g, '\r\n');
  const text = lines.endsWith('\r\n') ? lines : `${lines}\r\n`;
  return { name: file.replace(/\.eml$/, ''), text, recipient: `box${at}@mail.example` };
}

export function readPeerMails(): readonly PeerMail[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((file) => file.endsWith('.eml'))
      .sort()
      .map((file) => [folder, file] as const),
  );
  return files.map(([folder, file], at) => readMail(folder, file, at));
}
