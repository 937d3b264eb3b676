// Operations on Gmail accounts for operators, by the CLI and the admin interface. Input is checked, because a mistake
// would only show when mail does not arrive.

import { isIP } from 'node:net';

import { parseDomainName } from '#mail-receiver/address';
import type { MailCredentials } from '#imap-reader/credentials';
import { isGmailDomain, parseAliasBase, reachesAccount } from '#gmail-aliases/alias';
import { countDotVariants } from '#gmail-aliases/dot-variant';
import type { GmailAccount, GmailStore, ImapSecurity } from '../../store/gmail-store.ts';
import type { AccountSecrets } from './account-secrets.ts';
import { OperatorError } from './operator-error.ts';

export interface AddGmailAccountRequest {
  readonly email: string;
  readonly credentials: MailCredentials;
  /** Omitted settings are Gmail's. */
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly security?: ImapSecurity | undefined;
  readonly user?: string | undefined;
  readonly inboxFolder?: string | undefined;
  readonly spamFolder?: string | undefined;
}

export interface ManageGmailDeps {
  readonly gmail: GmailStore;
  readonly secrets: AccountSecrets;
}

const gmailHost = 'imap.gmail.com';
const imapsPort = 993;
const imapPort = 143;
const textMaxLength = 255;
const secretMaxLength = 4096;

/** Adds the account, or replaces the settings of the one with this address. @throws OperatorError */
export async function addGmailAccount(
  { gmail, secrets }: ManageGmailDeps,
  request: AddGmailAccountRequest,
): Promise<GmailAccount> {
  const email = parseEmail(request.email);
  const { security = 'tls', credentials } = request;
  checkCredentials(credentials);
  await refuseSecondName(gmail, email);
  const place = {
    email,
    host: parseHost(request.host, email),
    port: parsePort(request.port ?? (security === 'tls' ? imapsPort : imapPort)),
    security,
    user: parseText('user', request.user ?? email),
  };
  return gmail.addAccount({
    ...place,
    auth: credentials.kind,
    sealedCredentials: secrets.seal(place, credentials),
    inboxFolder: request.inboxFolder === undefined ? null : parseText('folder', request.inboxFolder),
    spamFolder: request.spamFolder === undefined ? null : parseText('folder', request.spamFolder),
  });
}

/** Stops giving out aliases and polling; its sessions continue without mail. @throws OperatorError */
export async function disableGmailAccount(gmail: GmailStore, text: string): Promise<GmailAccount> {
  const email = parseEmail(text);
  return (await gmail.disableAccount(email)) ?? noSuchAccount(email);
}

/** Reactivates a disabled account with the settings it has. @throws OperatorError */
export async function enableGmailAccount(gmail: GmailStore, text: string): Promise<GmailAccount> {
  return gmail.addAccount(await getGmailAccount(gmail, text));
}

/**
 * Removes the account and ends its sessions if that is wanted, or there are none; returns how many ended.
 * @throws OperatorError
 */
export async function removeGmailAccount(
  gmail: GmailStore,
  text: string,
  endsSessions: boolean,
): Promise<number> {
  const { email, liveSessions: live } = await getGmailAccount(gmail, text);
  if (live > 0 && !endsSessions) {
    throw new OperatorError(
      `Gmail account ${email} has ${live} live ${live === 1 ? 'session' : 'sessions'}: end them with ` +
        '--end-sessions, or disable the account and let them come to their end.',
    );
  }
  // Including sessions created meanwhile.
  return (await gmail.removeAccount(email)) ?? noSuchAccount(email);
}

/** @throws OperatorError */
export async function getGmailAccount(gmail: GmailStore, text: string): Promise<GmailAccount> {
  const email = parseEmail(text);
  return (await gmail.listAccounts()).find((account) => account.email === email) ?? noSuchAccount(email);
}

/** Returns how many dot variants are free; null for an account outside Gmail, which has none. */
export async function countFreeDotVariants(gmail: GmailStore, account: GmailAccount): Promise<number | null> {
  const base = parseAliasBase(account.email);
  if (!base?.isGmail) return null;
  return Math.max(0, countDotVariants(base) - (await gmail.countHeldDotVariants(account.id)));
}

/** Returns how many accounts there are. @throws OperatorError */
export async function rotateSecretKey(
  { gmail, secrets }: ManageGmailDeps,
  newKey: Uint8Array,
): Promise<number> {
  await secrets.rotate(gmail, newKey);
  return (await gmail.listAccounts()).length;
}

/** Two accounts for one mailbox would each fetch and count every message. */
async function refuseSecondName(gmail: GmailStore, email: string): Promise<void> {
  const base = parseAliasBase(email);
  for (const account of await gmail.listAccounts()) {
    const other = parseAliasBase(account.email);
    if (base && other && account.email !== email && reachesAccount(base, other)) {
      throw new OperatorError(`${email} is the mailbox of ${account.email}, which is set up already.`);
    }
  }
}

function noSuchAccount(email: string): never {
  throw new OperatorError(`There is no Gmail account ${email}.`);
}

function parseEmail(text: string): string {
  const base = parseAliasBase(text.trim());
  if (base) return `${base.localPart}@${base.domain}`;
  throw new OperatorError(
    `${JSON.stringify(text.slice(0, 80))} cannot have aliases: it must be a plain address, without a plus ` +
      'tag, with at most 52 characters before the @.',
  );
}

function parseHost(text: string | undefined, email: string): string {
  if (text === undefined) {
    if (isGmailDomain(email.slice(email.lastIndexOf('@') + 1))) return gmailHost;
    throw new OperatorError(`${email} is not at gmail.com: --host must say where its IMAP server is.`);
  }
  const host = parseDomainName(text) ?? (isIP(text) === 0 ? undefined : text);
  if (host !== undefined) return host;
  throw new OperatorError(`${JSON.stringify(text.slice(0, 80))} is not a host name or IP address.`);
}

function parsePort(port: number): number {
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new OperatorError('The port must be a number from 1 to 65535.');
}

/** Validates text that goes into IMAP commands. */
function parseText(what: string, text: string): string {
  if (text !== '' && text.length <= textMaxLength && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw new OperatorError(`The ${what} must be 1 to ${textMaxLength} characters without line ends.`);
}

function checkCredentials(credentials: MailCredentials): void {
  const { kind, ...fields } = credentials;
  const values = Object.values<string>(fields);
  const isFine = values.every((value) => value.length <= secretMaxLength && !/[\r\n\0]/.test(value));
  const isEmpty = kind === 'password' ? credentials.password === '' : credentials.refreshToken === '';
  if (isEmpty) throw new OperatorError(`The ${kind === 'password' ? 'password' : 'refresh token'} is empty.`);
  if (!isFine) {
    throw new OperatorError('The credentials must be single lines of at most 4096 characters.');
  }
  if (kind === 'oauth2' && !/^https:\/\/[^/\s@]+\//i.test(credentials.tokenUrl)) {
    throw new OperatorError('The token URL must be https.');
  }
}
