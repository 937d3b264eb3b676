// Puts what a file holds into a request: a password, an OAuth 2 token, a key. Called by main.ts in the command's own
// process, with its user's rights; the service never opens a file for somebody.

import { readFileSync, statSync } from 'node:fs';

import { parseSecretKey, secretKeyForm } from '../domain/secret-key.ts';
import type { MailCredentials } from '../secrets/mail-credentials.ts';
import { OperatorError } from '../service/operator-error.ts';
import type { ControlRequest } from './control-protocol.ts';
import type { RequestWithFile } from './parse-gmail-command.ts';

const fileMaxBytes = 64 * 1024;
const googleTokenUrl = 'https://oauth2.googleapis.com/token';

/** @throws OperatorError when the file cannot be read or holds something else; never tells what it holds */
export function completeRequest({ request, file, holds }: RequestWithFile): ControlRequest {
  const text = readSecretFile(file);
  if (request.command === 'secret-rotate') {
    if (parseSecretKey(text)) return { ...request, newKey: text.trim() };
    throw new OperatorError(`The key in ${file} must be ${secretKeyForm}.`);
  }
  const credentials = holds === 'oauth2' ? parseOAuth2(text, file) : toPassword(text);
  return { ...request, credentials };
}

function readSecretFile(file: string): string {
  try {
    if (statSync(file).size > fileMaxBytes) throw new Error('it is too large');
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new OperatorError(`The file ${file} cannot be read: ${(error as Error).message}`);
  }
}

/** Editors end the last line; a password that ends so itself cannot be. */
function toPassword(text: string): MailCredentials {
  return { kind: 'password', password: text.replace(/\r?\n$/, '') };
}

/** As Google's tools write it, e.g. `application_default_credentials.json`. */
function parseOAuth2(text: string, file: string): MailCredentials {
  const fields = parseJson(text);
  const take = (name: string, fallback?: string): string => {
    const value = fields?.[name] ?? fallback;
    if (typeof value === 'string') return value;
    throw new OperatorError(
      `${file} must be JSON with the texts client_id, refresh_token, and where needed client_secret and token_uri.`,
    );
  };
  return {
    kind: 'oauth2',
    clientId: take('client_id'),
    clientSecret: take('client_secret', ''),
    refreshToken: take('refresh_token'),
    tokenUrl: take('token_uri', googleTokenUrl),
  };
}

function parseJson(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    // What a parser says of it could tell what is in it.
    return undefined;
  }
}
