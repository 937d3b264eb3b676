// `mayfly mailbox`: lets the operator read mail to postmaster and abuse, from the Maildir in the data folder or
// the database. Works beside a running service. Removes control characters from text of senders.

import { readSummary } from '@mayfly/mail-reader/header';
import { OperatorError } from '../service/operating/operator-error.ts';
import { formatTable } from '../operator/format-table.ts';
import type { Letter, Letters } from '../store/operator-mailbox.ts';

export type MailboxAction =
  { readonly action: 'list' } | { readonly action: 'show' | 'remove'; readonly id: string };

const headBytes = 65_536;
const shownMaxBytes = 1024 * 1024;
/** All but line feeds and tabs. */
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g;

/** Returns the text to print. @throws OperatorError */
export async function runMailbox(letters: Letters, request: MailboxAction): Promise<string[]> {
  const all = await letters.list();
  if (request.action === 'list') return formatLetters(letters, all);
  const letter = findLetter(all, request.id);
  if (request.action === 'remove') {
    await letters.remove(letter.id);
    return [`Message ${letter.id} is removed.`];
  }
  const text = await letters.read(letter.id, shownMaxBytes);
  const shown = text.toString('utf8').replace(/\r\n/g, '\n').replace(controls, '?');
  if (letter.isNew) await letters.markRead(letter.id);
  const rest = letter.bytes - shownMaxBytes;
  return [...shown.trimEnd().split('\n'), ...(rest > 0 ? [`(${rest} more bytes)`] : [])];
}

function findLetter(letters: readonly Letter[], id: string): Letter {
  const found = letters.filter((letter) => letter.id.startsWith(id));
  const [letter] = found.length === 1 ? found : letters.filter((one) => one.id === id);
  if (letter) return letter;
  throw new OperatorError(
    `${found.length === 0 ? 'No message' : 'More than one message'} begins with ${id}.`,
  );
}

async function formatLetters(letters: Letters, all: readonly Letter[]): Promise<string[]> {
  if (all.length === 0) return ['No mail to postmaster or abuse.'];
  const rows: string[][] = [];
  for (const letter of all) rows.push(formatLetter(letter, await letters.read(letter.id, headBytes)));
  return formatTable([['ID', '', 'RECEIVED', 'BYTES', 'FROM', 'SUBJECT'], ...rows]);
}

function formatLetter({ id, isNew, at, bytes }: Letter, head: Buffer): string[] {
  const { senderEmail, subject } = readSummary(head);
  const received = at.toISOString().slice(0, 16).replace('T', ' ');
  return [id, isNew ? 'new' : '', received, String(bytes), senderEmail.slice(0, 60), subject.slice(0, 80)];
}
