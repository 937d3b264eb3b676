// Runs the commands of `mayfly inbox`.

import { type Inbox, MailTimeout, MayflyError, MayflyUnreachable, type Message } from 'mayfly-client';

import { createInbox } from './create-inbox.ts';
import { exportAll, importFile } from './mail-files.ts';
import { findInbox, forget, givenUrl, type Surroundings } from './find-inbox.ts';
import { formatMessage } from './format-message.ts';
import { formatReport } from './format-report.ts';
import type { Given, InboxCall, Output } from './inbox-call.ts';
import { type InboxCommand, inboxStatus } from './commands.ts';
import { InboxError, InboxUsageError } from './errors.ts';
import { openInboxFile } from './inbox-file.ts';
import { forgetPage, openPage, pageAddress } from './open-page.ts';
import { toBlock, toJson, toLine } from './terminal-text.ts';
import { waitInInbox } from './wait-in-inbox.ts';
import { watchInbox } from './watch-inbox.ts';

export interface InboxOptions {
  readonly environment: Surroundings['environment'];
  readonly out: Output;
  readonly error: { write(text: string): unknown };
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

const runs: Readonly<Record<InboxCommand, (call: InboxCall, signal: AbortSignal) => Promise<void>>> = {
  'inbox new': createInbox,
  'inbox list': list,
  'inbox wait': waitInInbox,
  'inbox watch': watch,
  'inbox read': read,
  'inbox report': report,
  'inbox import': importFile,
  'inbox export': exportAll,
  'inbox open': open,
  'inbox end': end,
};

/**
 * Resolves with the exit status, after printing why the command failed, in text that is safe for a terminal.
 * @throws any unexpected error
 */
export async function runInbox(command: InboxCommand, given: Given, options: InboxOptions): Promise<number> {
  const { environment, out, error, signal } = options;
  const say = (line: string): void => void error.write(`mayfly: ${toLine(line)}\n`);
  try {
    await runs[command]({ environment, file: openInboxFile(environment), say, given, out }, signal);
    return 0;
  } catch (thrown) {
    if (thrown instanceof InboxUsageError) {
      say(`${thrown.message} See \`mayfly help\`.`);
      return inboxStatus.usage;
    }
    error.write(`mayfly: ${toBlock(explain(thrown))}\n`);
    return inboxStatus.failed;
  }
}

/** Describes an expected failure. @throws any other error */
function explain(error: unknown): string {
  if (error instanceof InboxError || error instanceof MailTimeout) return error.message;
  if (error instanceof MayflyUnreachable) return error.message;
  if (error instanceof MayflyError) return `${error.message} (${error.code})`;
  throw error;
}

async function list({ file, environment, given, out }: InboxCall): Promise<void> {
  const url = givenUrl(environment, text(given['url']));
  const all = (await file.list()).filter((known) => url === undefined || known.url === url);
  const now = Date.now();
  const live = all.filter(({ expires_at: end }) => Date.parse(end) > now);
  if (given['json'] === true) {
    const shown = live.map(({ email, url: at, expires_at, created_at }) => ({
      email,
      url: at,
      expiresAt: new Date(expires_at),
      createdAt: new Date(created_at),
    }));
    out.write(`${toJson(shown)}\n`);
    return;
  }
  if (live.length === 0) return;
  const rows = live.map(({ email, url: at, expires_at: end }): Row => [
    toLine(email),
    leftUntil(end, now),
    toLine(at),
  ]);
  out.write(formatList([['ADDRESS', 'ENDS IN', 'SERVICE'], ...rows]));
}

type Row = readonly [address: string, left: string, service: string];

function formatList(rows: readonly Row[]): string {
  const addressWidth = Math.max(...rows.map(([address]) => address.length));
  const leftWidth = Math.max(...rows.map(([, left]) => left.length));
  return rows
    .map(
      ([address, left, service]) =>
        `${address.padEnd(addressWidth)}  ${left.padEnd(leftWidth)}  ${service}\n`,
    )
    .join('');
}

function leftUntil(end: string, now: number): string {
  const minutes = Math.floor((Date.parse(end) - now) / 60_000);
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
  return days > 0 ? `${days} d ${hours} h` : hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`;
}

async function watch(call: InboxCall, signal: AbortSignal): Promise<void> {
  const { inbox } = await findInbox(call, wantedOf(call.given));
  const asJson = call.given['json'] === true;
  if (!(await watchInbox({ inbox, screen: call.out, asJson, signal }))) return;
  await forget(call.file, inbox.token);
  call.say(`The inbox ${inbox.email} has ended.`);
}

async function report(call: InboxCall): Promise<void> {
  const { given, out } = call;
  const { inbox } = await findInbox(call, { address: text(given['inbox']), url: text(given['url']) });
  const found = await inbox.report(await toId(inbox, text(given['id'])));
  if (given['json'] === true) out.write(`${toJson(found)}\n`);
  else out.write(toBlock(formatReport(found)));
  if (found.errors > 0) {
    throw new InboxError(`The report has ${found.errors === 1 ? 'an error' : `${found.errors} errors`}.`);
  }
}

/** Returns the id of the newest message where none is given. */
async function toId(inbox: Inbox, id = 'latest'): Promise<number> {
  const wanted = id === 'latest' ? (await inbox.messages())[0]?.id : Number(id);
  if (wanted === undefined) throw new InboxError(`There is no mail in ${inbox.email}.`);
  return wanted;
}

async function read(call: InboxCall): Promise<void> {
  const { given, out } = call;
  const form = oneForm(given);
  const { inbox } = await findInbox(call, { address: text(given['inbox']), url: text(given['url']) });
  const wanted = await toId(inbox, text(given['id']));
  // Output to a file or a program is left unchanged.
  const fit = (content: string): string => (out.isTTY === true ? toBlock(content) : content);
  if (form === 'raw') {
    const raw = await inbox.raw(wanted);
    out.write(out.isTTY === true ? fit(new TextDecoder().decode(raw)) : raw);
    return;
  }
  const message = await inbox.read(wanted);
  if (form === 'json') out.write(`${toJson(message)}\n`);
  else if (form === 'html') out.write(`${fit(htmlOf(message))}\n`);
  else out.write(formatMessage(message));
}

/** @throws InboxUsageError */
function oneForm(given: Given): 'raw' | 'text' | 'html' | 'json' {
  const forms = (['raw', 'text', 'html', 'json'] as const).filter((form) => given[form] === true);
  if (forms.length > 1) throw new InboxUsageError(`--${forms.join(' and --')} exclude each other.`);
  return forms[0] ?? 'text';
}

function htmlOf({ id, html, htmlReason }: Message): string {
  if (html !== null) return html;
  throw new InboxError(`Message ${id} has no HTML${htmlReason === null ? '' : `: ${htmlReason}`}.`);
}

async function open(call: InboxCall): Promise<void> {
  const { given, out, file, environment, say } = call;
  const { inbox, url } = await findInbox(call, wantedOf(given));
  const address = pageAddress(url, inbox.token);
  if (given['print'] !== true) {
    // Creates the folder if needed.
    await file.change((all) => all);
    if (await openPage({ address, folder: file.folder, environment })) return;
    say('No browser could be started. Anyone with this address can read the inbox:');
  }
  out.write(`${address}\n`);
}

async function end(call: InboxCall): Promise<void> {
  const { inbox } = await findInbox(call, wantedOf(call.given));
  await inbox.end();
  await forget(call.file, inbox.token);
  await forgetPage(call.file.folder);
  call.out.write(`${toLine(inbox.email)} has ended.\n`);
}

function wantedOf(given: Given): { address: string | undefined; url: string | undefined } {
  return { address: text(given['address']), url: text(given['url']) };
}

function text(value: Given[string]): string | undefined {
  return value === undefined ? undefined : String(value);
}
