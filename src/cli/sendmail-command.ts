// `mayfly sendmail`: sends what a program writes to sendmail to the service at SMTP_URL, or to the inbox of this worker
// there. Ends with the statuses of sysexits.h.

import { userInfo } from 'node:os';

import { parseMailboxes } from '@mayfly/mail-reader/header';
import { parseSendmailArguments } from '#unix-mail/sendmail-arguments';
import { toSubmission } from '#unix-mail/sendmail-message';
import { passDialogue } from '#unix-mail/dialogue';
import type { SmtpServer } from '#unix-mail/smtp-connection';
import { submit } from '#unix-mail/submit';
import { SendmailError, sysexits } from '#unix-mail/sysexits';
import type { Program, ProgramGiven } from './program-command.ts';
import { workerLogin } from './worker-login.ts';

const defaultServer = 'smtp://127.0.0.1:1025';
/** More than a service accepts by default. */
const inputMaxBytes = 64 * 1024 * 1024;
const recipientsMax = 1000;
/** Follows names without a domain, such as those of users of this machine. */
const localDomain = 'localhost';

export async function sendmail(_given: ProgramGiven, { environment, rest = [] }: Program): Promise<void> {
  try {
    const call = parseSendmailArguments(rest);
    if (call.mode === 'nothing') return;
    const server = findServer(environment, call.server);
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

/** @throws SendmailError usage */
function findServer(environment: Program['environment'], given: string | undefined): SmtpServer {
  const text =
    given === undefined ? (environment['SMTP_URL'] ?? fromHostAndPort(environment)) : `smtp://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'smtp:' || url.hostname === '') {
    throw new SendmailError(
      sysexits.usage,
      'The server must be given as smtp://HOST:PORT in SMTP_URL, or by -S HOST:PORT.',
    );
  }
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port === '' ? 25 : url.port),
    login: user === '' ? workerLogin(environment) : { user, password: decodeURIComponent(url.password) },
  };
}

function fromHostAndPort({ SMTP_HOST: host, SMTP_PORT: port = '1025' }: Program['environment']): string {
  return host === undefined ? defaultServer : `smtp://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
