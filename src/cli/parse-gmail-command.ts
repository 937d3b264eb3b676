// The arguments of `mayfly gmail` and `mayfly secret` → what to ask for. Secrets are in files that are named here and
// read later: what stands in the arguments, every user of the machine can read.

import type { AddGmailAccountRequest } from '../service/manage-gmail.ts';
import { isSecurity, type GmailRequest } from './gmail-requests.ts';
import { UsageError } from './usage-error.ts';

export type SecretFileKind = 'password' | 'oauth2' | 'secret-key';

/** A request without what is in the file. */
export interface RequestWithFile {
  readonly kind: 'control-with-file';
  readonly request:
    | (Omit<AddGmailAccountRequest, 'credentials'> & { readonly command: 'gmail-add' })
    | { readonly command: 'secret-rotate' };
  readonly file: string;
  readonly holds: SecretFileKind;
}

export type GmailCommand = RequestWithFile | { readonly kind: 'control'; readonly request: GmailRequest };

/** Those of `gmail add`, by the names they have on the command line. */
export const gmailOptions = {
  'password-file': { type: 'string' },
  'oauth2-file': { type: 'string' },
  host: { type: 'string' },
  port: { type: 'string' },
  security: { type: 'string' },
  user: { type: 'string' },
  'inbox-folder': { type: 'string' },
  'spam-folder': { type: 'string' },
} as const;

/** Those of `secret rotate`. */
export const secretOptions = { 'new-key-file': { type: 'string' } } as const;

export type GmailOptions = { readonly [Name in keyof typeof gmailOptions]?: string | undefined };

/** @throws UsageError */
export function parseGmailCommand(words: readonly string[], options: GmailOptions): GmailCommand {
  const [action, email, ...rest] = words;
  if (action === 'list' && email === undefined) return toControl({ command: 'gmail-list' });
  if (!isAction(action)) {
    throw new UsageError(
      '`gmail` takes add EMAIL, list, test EMAIL, disable EMAIL, enable EMAIL or remove EMAIL.',
    );
  }
  if (email === undefined || rest.length > 0) throw new UsageError(`\`gmail ${action}\` takes one EMAIL.`);
  return action === 'add' ? parseAdd(email, options) : toControl({ command: `gmail-${action}`, email });
}

const actions = ['add', 'test', 'disable', 'enable', 'remove'] as const;

function isAction(word: string | undefined): word is (typeof actions)[number] {
  return actions.some((action) => action === word);
}

/** @throws UsageError */
export function parseSecretCommand(
  words: readonly string[],
  options: { readonly 'new-key-file'?: string | undefined },
): GmailCommand {
  const { 'new-key-file': file } = options;
  if (words.length !== 1 || words[0] !== 'rotate' || file === undefined) {
    throw new UsageError('`secret` takes rotate --new-key-file FILE.');
  }
  return { kind: 'control-with-file', request: { command: 'secret-rotate' }, file, holds: 'secret-key' };
}

function toControl(request: GmailRequest): GmailCommand {
  return { kind: 'control', request };
}

function parseAdd(email: string, options: GmailOptions): GmailCommand {
  const { 'password-file': passwordFile, 'oauth2-file': oauth2File } = options;
  const file = passwordFile ?? oauth2File;
  if (file === undefined || (passwordFile !== undefined && oauth2File !== undefined)) {
    throw new UsageError('`gmail add` takes either --password-file FILE or --oauth2-file FILE.');
  }
  const { host, port, security, user } = options;
  if (security !== undefined && !isSecurity(security)) {
    throw new UsageError('--security takes tls, starttls or none.');
  }
  return {
    kind: 'control-with-file',
    request: {
      ...{ command: 'gmail-add', email, host, security, user },
      port: parsePort(port),
      inboxFolder: options['inbox-folder'],
      spamFolder: options['spam-folder'],
    },
    file,
    holds: passwordFile === undefined ? 'oauth2' : 'password',
  };
}

function parsePort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port < 1 || port > 65_535) throw new UsageError('--port takes a number from 1 to 65535.');
  return port;
}
