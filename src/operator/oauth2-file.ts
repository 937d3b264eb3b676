// OAuth 2 credentials as Google's tools write them, e.g. `application_default_credentials.json`. Used by gmail.ts.

import type { MailCredentials } from '#imap-reader/credentials';

const googleTokenUrl = 'https://oauth2.googleapis.com/token';

/** A description of the file, to end a sentence. */
export const oauth2Form =
  'JSON with the texts client_id, refresh_token, and where needed client_secret and token_uri.';

/** Returns undefined for anything else. */
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
