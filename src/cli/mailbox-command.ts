// `mayfly mailbox`: lets the operator read mail to postmaster and abuse, from the Maildir in the data folder. Works
// beside a running service, like any mail program. Removes control characters from text of senders. Called by main.ts.

import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';

import { readSummary } from '@mayfly/mail-reader/header';
import { OperatorError } from '../service/operator-error.ts';
import { formatTable } from '../operator/format-table.ts';
import { ignoreAbsent } from './ignore-absent.ts';

export type MailboxAction =
  { readonly action: 'list' } | { readonly action: 'show' | 'remove'; readonly id: string };

interface Letter {
  readonly id: string;
  readonly path: string;
  readonly isNew: boolean;
  readonly at: Date;
  readonly bytes: number;
}

const headBytes = 65_536;
const shownMaxBytes = 1024 * 1024;
/** All but line feeds and tabs. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;

/** Returns the text to print. @throws OperatorError */
export async function runMailbox(dataDir: string, request: MailboxAction): Promise<string[]> {
  const folder = join(dataDir, 'operator');
  const letters = await listLetters(folder);
  if (request.action === 'list') return formatLetters(letters);
  const letter = findLetter(letters, request.id);
  if (request.action === 'remove') {
    await rm(letter.path);
    return [`Message ${letter.id} is removed.`];
  }
  const text = await readFile(letter.path);
  const shown = text
    .subarray(0, shownMaxBytes)
    .toString('utf8')
    .replace(/\r\n/g, '\n')
    .replace(controls, '?');
  // Marks it as seen, as mail programs do: https://cr.yp.to/proto/maildir.html
  if (letter.isNew) await rename(letter.path, join(folder, 'cur', `${nameOf(letter.path)}:2,S`));
  const rest = text.length - shownMaxBytes;
  return [...shown.trimEnd().split('\n'), ...(rest > 0 ? [`(${rest} more bytes in ${letter.path})`] : [])];
}

async function listLetters(folder: string): Promise<Letter[]> {
  const letters: Letter[] = [];
  for (const part of ['new', 'cur']) {
    for (const name of await listNames(join(folder, part))) {
      const path = join(folder, part, name);
      const found = await stat(path).catch(ignoreAbsent);
      if (found) {
        letters.push({ id: idOf(name), path, isNew: part === 'new', at: found.mtime, bytes: found.size });
      }
    }
  }
  return letters.sort((one, other) => other.at.getTime() - one.at.getTime());
}

async function listNames(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreAbsent)) ?? [];
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? '').replace(/:2,.*$/, '');
}

/** Returns the random part of names that Mayfly chose; otherwise the whole name. */
function idOf(name: string): string {
  return /^\d+\.P\d+Q\d+R([0-9a-f]{12})\./.exec(name)?.[1] ?? nameOf(name);
}

function findLetter(letters: readonly Letter[], id: string): Letter {
  const found = letters.filter((letter) => letter.id.startsWith(id));
  const [letter] = found.length === 1 ? found : letters.filter((one) => one.id === id);
  if (letter) return letter;
  throw new OperatorError(
    `${found.length === 0 ? 'No message' : 'More than one message'} begins with ${id}.`,
  );
}

async function formatLetters(letters: readonly Letter[]): Promise<string[]> {
  if (letters.length === 0) return ['No mail to postmaster or abuse.'];
  const rows = await Promise.all(letters.map(formatLetter));
  return formatTable([['ID', '', 'RECEIVED', 'BYTES', 'FROM', 'SUBJECT'], ...rows]);
}

async function formatLetter({ id, path, isNew, at, bytes }: Letter): Promise<string[]> {
  const { senderEmail, subject } = readSummary(await readHead(path));
  const received = at.toISOString().slice(0, 16).replace('T', ' ');
  return [id, isNew ? 'new' : '', received, String(bytes), senderEmail.slice(0, 60), subject.slice(0, 80)];
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
