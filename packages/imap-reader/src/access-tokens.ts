// Obtains access tokens for accounts with OAuth 2 from their refresh token (RFC 6749 §6), and keeps them only in
// memory.

import { messageOf } from '../../system-errors/src/error-message.ts';
import type { OAuth2Credentials } from './credentials.ts';
import { PollFailure } from './classify-failure.ts';

/** Posts a form. Redirects are not followed, and time and size are limited. */
export type TokenFetch = (request: {
  readonly url: string;
  readonly method: 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly read: 'body';
}) => Promise<{ readonly status: number; readonly body: Buffer }>;

export interface AccessTokens {
  /** Returns a token that is valid for some time. @throws PollFailure */
  get(): Promise<string>;
  /** Discards a token that the server refused. */
  forget(): void;
}

/** A token with less time left than this is no longer used. */
const marginMs = 300_000;
const defaultLifeSeconds = 3600;

export function createAccessTokens(fetch: TokenFetch, credentials: OAuth2Credentials): AccessTokens {
  let token = '';
  let goodUntil = -Infinity;
  return {
    async get() {
      if (performance.now() < goodUntil) return token;
      const fresh = await requestToken(fetch, credentials);
      token = fresh.token;
      goodUntil = performance.now() + fresh.lifeSeconds * 1000 - marginMs;
      return token;
    },
    forget() {
      goodUntil = -Infinity;
    },
  };
}

async function requestToken(
  fetch: TokenFetch,
  { clientId, clientSecret, refreshToken, tokenUrl }: OAuth2Credentials,
): Promise<{ token: string; lifeSeconds: number }> {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
  });
  if (clientSecret !== '') form.set('client_secret', clientSecret);
  const answer = await fetch({
    url: tokenUrl,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: form.toString(),
    read: 'body',
  }).catch((error: unknown) => {
    throw new PollFailure('failing', `The token URL cannot be reached: ${messageOf(error)}`, error);
  });
  // invalid_grant and similar errors are 400 or 401 (RFC 6749 §5.2) and last until the operator acts.
  if (answer.status === 400 || answer.status === 401) {
    throw new PollFailure('refused', `The token URL refused the refresh token (${answer.status}).`);
  }
  if (answer.status === 429) throw new PollFailure('throttled', 'The token URL throttles requests (429).');
  if (answer.status !== 200) throw new PollFailure('failing', `The token URL answered ${answer.status}.`);
  return readToken(answer.body);
}

function readToken(body: Buffer): { token: string; lifeSeconds: number } {
  const answer = parseJson(body.toString()) as { access_token?: unknown; expires_in?: unknown } | null;
  const token = answer?.access_token;
  if (typeof token !== 'string' || !/^[\x21-\x7e]{1,8192}$/.test(token)) {
    throw new PollFailure('failing', 'The token URL answered without an access token.');
  }
  const life = Number(answer?.expires_in ?? defaultLifeSeconds);
  return { token, lifeSeconds: life > 0 ? Math.min(life, 86_400) : defaultLifeSeconds };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
