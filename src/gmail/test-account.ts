// Tests an account: connects, logs in, and reports the result to the operator. Run by `mayfly gmail test` through
// app.ts. Changes nothing in the account and reads no mail.

import { findFolders, openFolder } from '#imap-reader/find-folders';
import type { ImapConnection } from '#imap-reader/imap-connection';
import { createLogins, type LogInOptions } from '#imap-reader/log-in';
import { defaultTimes } from './gmail-pollers-options.ts';

export type TestAccountOptions = Omit<LogInOptions, 'exchangeMs'>;

export interface AccountReport {
  readonly isWell: boolean;
  /** For the operator; without secrets. */
  readonly lines: readonly string[];
}

/** Never rejects: errors are in the lines. */
export async function testAccount(options: TestAccountOptions): Promise<AccountReport> {
  const { account } = options;
  const logins = createLogins({ ...options, exchangeMs: defaultTimes.exchangeMs });
  const lines = [`Server ${account.host}:${account.port}, ${describeSecurity[account.security]}.`];
  let connection: ImapConnection | undefined;
  try {
    connection = await logins.open();
    lines.push(`Logged in as ${account.user}.`);
    lines.push(...(await describeFolders(connection, account)), describeExtensions(connection));
    return { isWell: true, lines };
  } catch (error) {
    return { isWell: false, lines: [...lines, logins.classify(error).detail] };
  } finally {
    connection?.close();
  }
}

const describeSecurity = {
  tls: 'TLS from the first byte',
  starttls: 'TLS by STARTTLS',
  none: 'without TLS: the password can be read in transit',
} as const;

async function describeFolders(
  connection: ImapConnection,
  account: LogInOptions['account'],
): Promise<readonly string[]> {
  const { inbox, spam, trash } = await findFolders(connection, account);
  await openFolder(connection, inbox);
  if (spam !== undefined) await openFolder(connection, spam);
  return [
    `Looks for mail in ${JSON.stringify(inbox)}.`,
    spam === undefined
      ? 'No folder is marked as spam: mail that is filed there is not seen.'
      : `Looks for spam in ${JSON.stringify(spam)}.`,
    trash === undefined
      ? 'No folder is marked as trash: delivered messages stay where they are.'
      : `Moves delivered messages to ${JSON.stringify(trash)}, if that is enabled.`,
  ];
}

function describeExtensions({ client }: ImapConnection): string {
  const offers = ['IDLE', 'MOVE', 'X-GM-EXT-1'].map(
    (name) => `${name} ${client.capabilities.has(name) ? 'yes' : 'no'}`,
  );
  return `The server offers ${offers.join(', ')}.`;
}
