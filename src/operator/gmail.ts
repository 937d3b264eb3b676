// `mayfly gmail` and `mayfly secret`: accounts whose aliases are given out, and the key that seals their credentials,
// which are never shown.

import type { MailCredentials } from '#imap-reader/credentials';
import { MayflyError } from '../domain/mayfly-error.ts';
import { parseSecretKey, secretKeyForm } from '#values/secret-key';
import { formatTimestamp } from '#values/timestamp';
import { type GmailControl, listGmailAccounts, toLagMs } from '../service/operating/gmail-control.ts';
import {
  addGmailAccount,
  disableGmailAccount,
  enableGmailAccount,
  getGmailAccount,
  removeGmailAccount,
  rotateSecretKey,
} from '../service/operating/manage-gmail.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import type { GmailStore } from '../store/gmail-store.ts';
import { count, type Noun, operatorCommand } from './command.ts';
import { endSessionsParameter } from './end-sessions-parameter.ts';
import { formatTable } from './format-table.ts';

const googleTokenUrl = 'https://oauth2.googleapis.com/token';

/** A description of the file, to end a sentence. */
const oauth2Form =
  'JSON with the texts client_id, refresh_token, and where needed client_secret and token_uri.';

const email = {
  kind: 'text',
  required: true,
  description: 'the account’s address',
  operand: 'EMAIL',
} as const;

const add = operatorCommand({
  method: 'POST',
  path: '/admin/add-gmail-account',
  words: 'gmail add',
  help:
    'give out aliases of this account; Gmail unless --host is given. For an existing account: ' +
    'replace its settings',
  parameters: {
    email,
    password: {
      kind: 'text',
      description: 'an app password',
      // Removes the line end that editors add; a password cannot end with one.
      option: { name: 'password-file', value: 'FILE', readContent: (text) => text.replace(/\r?\n$/, '') },
    },
    oauth2: {
      kind: 'text',
      description: 'OAuth 2 credentials as Google’s tools write them, in JSON',
      option: { name: 'oauth2-file', value: 'FILE', readContent: checkOAuth2 },
      isLocal: true,
    },
    host: {
      kind: 'text',
      description: 'where its IMAP server is',
      option: { name: 'host', value: 'H' },
    },
    port: {
      kind: 'int',
      min: 1,
      max: 65_535,
      description: '993, or 143 without TLS from the start',
      option: { name: 'port', value: 'P' },
    },
    security: {
      kind: 'choice',
      values: ['tls', 'starttls', 'none'],
      description: 'tls by default',
      option: { name: 'security' },
    },
    user: { kind: 'text', description: 'login name (default: EMAIL)', option: { name: 'user', value: 'U' } },
    inbox_folder: {
      kind: 'text',
      description: 'found automatically by default',
      option: { name: 'inbox-folder', value: 'F' },
    },
    spam_folder: {
      kind: 'text',
      description: 'likewise',
      option: { name: 'spam-folder', value: 'F' },
    },
  },
  oneOf: ['password', 'oauth2'],
  async run({ operator }, { password, oauth2, inbox_folder: inboxFolder, ...given }) {
    const { spam_folder: spamFolder, security, ...place } = given;
    const credentials = toCredentials(password, oauth2);
    const account = await addGmailAccount(operator.gmail, {
      ...place,
      credentials,
      security,
      inboxFolder,
      spamFolder,
    });
    operator.gmail.onAccountsChanged();
    return { id: account.id, email: account.email };
  },
  changes: ({ email: account }) => account,
  print: ({ id, email: added }) => [
    `Gmail account ${added} is set up with id ${id}; it gives out aliases once the service has logged in.`,
  ],
});

/** Parsed again when the account is added. */
function checkOAuth2(content: string, file: string): string {
  if (parseOAuth2(content)) return content;
  throw new OperatorError(`${file} must be ${oauth2Form}`);
}

function toCredentials(password: string | undefined, oauth2: string | undefined): MailCredentials {
  if (password !== undefined) return { kind: 'password', password };
  if (oauth2 === undefined) {
    throw new MayflyError('missing_parameter', '`password` is required.', { parameter: 'password' });
  }
  const credentials = parseOAuth2(oauth2);
  if (credentials) return credentials;
  throw new OperatorError(`OAuth 2 credentials must be ${oauth2Form}`);
}

const states = {
  new: 'not connected yet',
  healthy: 'active',
  failing: 'no connection, tries again',
  refused: 'login refused, waits for you',
  disabled: 'disabled',
} as const;
const columns = 'ID,EMAIL,STATE,SINCE,SESSIONS,FREE DOTS,BYTES TODAY,UNMATCHED,DETAIL'.split(',');

const list = operatorCommand({
  method: 'GET',
  path: '/admin/gmail-accounts',
  words: 'gmail list',
  help: 'list accounts with their ids, states and free dot variants',
  parameters: {},
  async run({ operator }) {
    const accounts = await listGmailAccounts(operator.gmail.gmail);
    return {
      accounts: accounts.map(({ account, freeDotVariants }) => {
        const lagMs = toLagMs(account, operator.gmail.now());
        return {
          id: account.id,
          email: account.email,
          host: account.host,
          port: account.port,
          security: account.security,
          user: account.user,
          auth: account.auth,
          inbox_folder: account.inboxFolder,
          spam_folder: account.spamFolder,
          active: account.isActive,
          state: account.isActive ? account.health : ('disabled' as const),
          state_since: formatTimestamp(account.healthAt),
          detail: account.detail,
          lag_seconds: lagMs === null ? null : Math.floor(lagMs / 1000),
          free_dot_variants: freeDotVariants,
          live_sessions: account.liveSessions,
          bytes_today: account.bytesToday,
          unmatched: account.unmatched,
        };
      }),
    };
  },
  print({ accounts }) {
    if (accounts.length === 0) {
      return ['No Gmail accounts. Add one: mayfly gmail add you@gmail.com --password-file FILE'];
    }
    const rows = accounts.map((account) => [
      String(account.id),
      account.email,
      states[account.state],
      account.state_since,
      String(account.live_sessions),
      String(account.free_dot_variants ?? '-'),
      String(account.bytes_today),
      String(account.unmatched),
      account.detail,
    ]);
    return formatTable([columns, ...rows]);
  },
});

const test = operatorCommand({
  method: 'POST',
  path: '/admin/test-gmail-account',
  words: 'gmail test',
  help: 'connect, log in and report what was found',
  parameters: { email },
  async run({ operator: { gmail: control } }, given) {
    const account = await getGmailAccount(control.gmail, given.email);
    const { isWell, lines } = await control.testAccount(account);
    return { email: account.email, well: isWell, lines };
  },
  changes: 'nothing',
  print({ well, lines }) {
    if (well) return lines;
    throw new OperatorError(lines.join('\n'));
  },
});

/** Changes one account and notifies the pollers. */
async function changeAccount<A>(
  control: GmailControl,
  change: (gmail: GmailControl['gmail'], email: string) => Promise<A>,
  address: string,
): Promise<A> {
  const changed = await change(control.gmail, address);
  control.onAccountsChanged();
  return changed;
}

const disable = operatorCommand({
  method: 'POST',
  path: '/admin/disable-gmail-account',
  words: 'gmail disable',
  help: 'give out no new aliases of it and fetch no more mail',
  parameters: { email },
  async run({ operator: { gmail: control } }, given) {
    const account = await changeAccount(control, disableGmailAccount, given.email);
    return { email: account.email };
  },
  changes: ({ email: account }) => account,
  print: ({ email: disabled }) => [
    `Gmail account ${disabled} gives out no new aliases and receives no mail; its sessions continue to their end.`,
  ],
});

const enable = operatorCommand({
  method: 'POST',
  path: '/admin/enable-gmail-account',
  words: 'gmail enable',
  help: 'reactivate a disabled account',
  parameters: { email },
  async run({ operator: { gmail: control } }, given) {
    const account = await changeAccount(control, enableGmailAccount, given.email);
    return { email: account.email };
  },
  changes: ({ email: account }) => account,
  print: ({ email: enabled }) => [`Gmail account ${enabled} is active again.`],
});

const remove = operatorCommand({
  method: 'POST',
  path: '/admin/remove-gmail-account',
  words: 'gmail remove',
  help: 'remove it; its id is never reused. Refused while it has live sessions, unless they are to be ended',
  parameters: { email, end_sessions: endSessionsParameter },
  async run({ operator: { gmail: control } }, given) {
    const change = (gmail: GmailStore, address: string): Promise<number> =>
      removeGmailAccount(gmail, address, given.end_sessions === true);
    return { ended_sessions: await changeAccount(control, change, given.email) };
  },
  changes: ({ email: account, end_sessions: ends }) =>
    `${account}${ends === true ? ' with its sessions' : ''}`,
  print: ({ ended_sessions: ended }, given) => [
    `Gmail account ${given.email.toLowerCase()} is removed; ${ended} of its sessions ended.`,
  ],
});

const rotate = operatorCommand({
  method: 'POST',
  path: '/admin/rotate-secret',
  words: 'secret rotate',
  help: 'seal the accounts’ credentials with a new secret key',
  isLocal: true,
  parameters: {
    new_key: {
      kind: 'text',
      required: true,
      description: `${secretKeyForm}`,
      option: { name: 'new-key-file', value: 'FILE', readContent: checkSecretKey },
    },
  },
  async run({ operator }, { new_key: text }) {
    const key = parseSecretKey(text);
    if (!key) throw new OperatorError('This is not a secret key.');
    return { accounts: await rotateSecretKey(operator.gmail, key) };
  },
  changes: () => '',
  print: ({ accounts }) => [
    `The credentials of ${count(accounts, 'account are', 'accounts are')} sealed with the new key.`,
    'Now replace the old key in MAYFLY_SECRET_KEY_FILE or MAYFLY_SECRET_KEY: the next start needs the new one. A running ' +
      'service already uses it.',
  ],
});

function checkSecretKey(content: string, file: string): string {
  if (parseSecretKey(content)) return content.trim();
  throw new OperatorError(`The key in ${file} must be ${secretKeyForm}.`);
}

export const gmail: Noun = {
  word: 'gmail',
  explainsEach: true,
  commands: [add, list, test, disable, enable, remove],
};

export const secret: Noun = { word: 'secret', commands: [rotate] };

/**
 * Reads OAuth 2 credentials as Google's tools write them, e.g. `application_default_credentials.json`; undefined for
 * anything else.
 */
export function parseOAuth2(text: string): MailCredentials | undefined {
  const fields = parseObject(text);
  const { client_id: clientId, client_secret: clientSecret = '', refresh_token: refreshToken } = fields;
  const { token_uri: tokenUrl = googleTokenUrl } = fields;
  if (typeof clientId !== 'string' || typeof clientSecret !== 'string') return undefined;
  if (typeof refreshToken !== 'string' || typeof tokenUrl !== 'string') return undefined;
  return { kind: 'oauth2', clientId, clientSecret, refreshToken, tokenUrl };
}

/** Returns an empty object for any other text, since a parser's error could reveal the content. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
