// `mayfly inbox wait`: prints the code, the link or the message as soon as it arrives, and nothing else.

import type { Inbox, MessageMatch } from 'mayfly-client';

import { InboxUsageError } from './errors.ts';
import { findInbox } from './find-inbox.ts';
import { formatMessage } from './format-message.ts';
import type { Given, InboxCall } from './inbox-call.ts';
import { parseDuration } from './parse-duration.ts';
import { toJson, toLine } from './terminal-text.ts';

const defaultTimeoutMs = 60_000;
const timeoutMaxMs = 86_400_000;

export async function waitInInbox(call: InboxCall): Promise<void> {
  const { given, out } = call;
  const timeout = parseDuration(given['timeout']) ?? defaultTimeoutMs;
  if (timeout > timeoutMaxMs) throw new InboxUsageError('--timeout must be a day at most.');
  if (given['link'] !== true && (given['link_kind'] !== undefined || given['host'] !== undefined)) {
    throw new InboxUsageError('--kind and --host belong to --link.');
  }
  if (given['code'] !== true && given['code_kind'] !== undefined) {
    throw new InboxUsageError('--code-kind belongs to --code.');
  }
  const wanted = { address: given['address']?.toString(), url: given['url']?.toString() };
  const { inbox } = await findInbox(call, wanted);
  out.write(`${await waitFor(inbox, given, timeout)}\n`);
}

async function waitFor(inbox: Inbox, given: Given, timeout: number): Promise<string> {
  const asJson = given['json'] === true;
  const match = matchOf(given);
  if (given['code'] === true) {
    const code = await inbox.waitForCode({ ...match, codeKind: given['code_kind']?.toString(), timeout });
    return asJson ? toJson({ code }) : toLine(code);
  }
  if (given['link'] === true) {
    const [kind, host] = [given['link_kind']?.toString(), given['host']?.toString()];
    const link = await inbox.waitForLink({ ...match, kind, host, timeout });
    return asJson ? toJson(link) : toPrintable(link.url);
  }
  const message = await inbox.waitForMessage(match, { timeout });
  return asJson ? toJson(message) : formatMessage(message).trimEnd();
}

/** Returns the URL as written by the sender if that is ASCII, else as a browser requests it. */
function toPrintable(url: string): string {
  if (/^[\x21-\x7e]+$/.test(url)) return url;
  return toLine(URL.canParse(url) ? new URL(url).href : url);
}

function matchOf(given: Given): MessageMatch {
  const part = (name: string): string | undefined => given[name]?.toString();
  return {
    from: part('from'),
    to: part('to'),
    subject: part('subject'),
    contains: part('contains'),
    q: part('q'),
  };
}
