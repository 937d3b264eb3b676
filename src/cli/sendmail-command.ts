// `mayfly sendmail`: sends what a program writes to sendmail to the service at SMTP_URL, or to the inbox of this worker
// there. Ends with the statuses of sysexits.h.

import { userInfo } from 'node:os';

import { parseMailboxes } from '@mayfly/mail-reader/header';
import { parseSendmailArguments } from '#unix-mail/sendmail-arguments';
import { toSubmission } from '#unix-mail/sendmail-message';
import { passDialogue } from '#unix-mail/dialogue';
import { findServer } from '#unix-mail/find-server';
import { submit } from '#unix-mail/submit';
import { SendmailError, sysexits } from '#unix-mail/sysexits';
import type { Program, ProgramGiven } from './program-command.ts';
import { workerLogin } from './worker-login.ts';

/** More than a service accepts by default. */
const inputMaxBytes = 64 * 1024 * 1024;
const recipientsMax = 1000;
/** Follows names without a domain, such as those of users of this machine. */
const localDomain = 'localhost';

export async function sendmail(_given: ProgramGiven, { environment, rest = [] }: Program): Promise<void> {
  try {
    const call = parseSendmailArguments(rest);
    if (call.mode === 'nothing') return;
    const server = findServer(environment, call.server, workerLogin(environment));
    if (call.mode === 'dialogue') {
      await passDialogue(server, process.stdin, process.stdout);
      return;
    }
    const submission = toSubmission({
      input: await readInput(),
      call,
      user: environment['LOGNAME'] ?? environment['USER'] ?? userInfo().username,
      domain: localDomain,
      now: new Date(),
      parseAddresses,
    });
    await submit(server, submission);
  } catch (error) {
    if (!(error instanceof SendmailError)) throw error;
    process.stderr.write(`mayfly sendmail: ${error.message}\n`);
    process.exitCode = error.status;
  }
}

/** A name without a domain, such as `root`, reads like a display name. */
function parseAddresses(list: string): readonly string[] {
  return parseMailboxes(list, recipientsMax)
    .map(({ name, email }) => (email === '' ? name : email))
    .filter((address) => address !== '');
}

async function readInput(): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of process.stdin as AsyncIterable<Buffer>) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > inputMaxBytes) throw new SendmailError(sysexits.unavailable, 'The message is too large.');
  }
  return Buffer.concat(pieces);
}
