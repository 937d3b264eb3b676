// The sessions kept in localStorage under one key, the only place where tokens are kept. The content can come from an
// older version or a stranger, so it is checked. Used by state/mailboxes.ts.

export const sessionsKey = 'mayfly.sessions';

export interface StoredSession {
  readonly token: string;
  readonly email: string;
  /** By this device's clock, milliseconds since 1970. */
  readonly endsAt: number;
  /** Opened by a link, so others have it too. */
  readonly isShared: boolean;
  /** The `host:port` at which a developer's service takes all mail; absent for other sessions. */
  readonly smtp?: string;
  /** Id of the subscription in push messages; absent for none. */
  readonly push?: string;
  /** A name given by the reader; absent for none. */
  readonly label?: string;
}

export interface StoredSessions {
  /** Token of the session last current; null for none. */
  readonly current: string | null;
  readonly sessions: readonly StoredSession[];
}

const version = 1;
/** Far more than a reader has open; bounds the effect of manipulated storage. */
export const mostSessions = 50;
export const longestLabel = 40;

/** Skips anything that is not a valid session. */
export function parseStoredSessions(text: string | null): StoredSessions {
  const value = parseRecord(text);
  if (value?.['version'] !== version || !Array.isArray(value['sessions'])) {
    return { current: null, sessions: [] };
  }
  const found: StoredSession[] = [];
  for (const one of value['sessions'].slice(0, mostSessions) as unknown[]) {
    const session = toSession(one);
    if (session && !found.some(({ token }) => token === session.token)) found.push(session);
  }
  const current = found.find(({ token }) => token === value['current'])?.token ?? found[0]?.token ?? null;
  return { current, sessions: found };
}

export function formatStoredSessions({ current, sessions }: StoredSessions): string {
  const kept = sessions.map(({ token, email, endsAt, isShared, smtp, label = '', push = '' }) => ({
    token,
    email,
    endsAt,
    ...(isShared ? { isShared } : {}),
    ...(smtp === undefined ? {} : { smtp }),
    ...(label === '' ? {} : { label }),
    ...(push === '' ? {} : { push }),
  }));
  return JSON.stringify({ version, current, sessions: kept });
}

/** Returns a token of create-session or create-share; undefined for anything else that a link may carry. */
export function parseToken(value: unknown): string | undefined {
  return typeof value === 'string' && /^mfs?_[\w-]{20,100}$/.test(value) ? value : undefined;
}

/** Reports whether the token belongs to a share, which cannot change anything. */
export function isReadOnly(token: string): boolean {
  return token.startsWith('mfs_');
}

/**
 * Returns the label as kept and shown: one line, without characters that change the direction of text. Empty if
 * invalid.
 */
export function parseLabel(value: unknown): string {
  if (typeof value !== 'string') return '';
  // The input may be of any length: only its beginning is read.
  const line = value
    .slice(0, 20 * longestLabel)
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .replace(/ +/g, ' ');
  return [...line.trim()].slice(0, longestLabel).join('').trim();
}

function toSession(value: unknown): StoredSession | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const {
    token: givenToken,
    email,
    endsAt,
    isShared,
    smtp,
    label: givenLabel,
    push,
  } = value as Record<string, unknown>;
  const token = parseToken(givenToken);
  if (token === undefined || typeof email !== 'string' || email.length > 320 || !email.includes('@')) {
    return undefined;
  }
  if (typeof endsAt !== 'number' || !Number.isFinite(endsAt)) return undefined;
  const label = parseLabel(givenLabel);
  return {
    token,
    email,
    endsAt,
    isShared: isShared === true || isReadOnly(token),
    ...(typeof smtp === 'string' && /^[\w.:[\]-]{1,260}$/.test(smtp) ? { smtp } : {}),
    ...(label === '' ? {} : { label }),
    ...(typeof push === 'string' && /^[\w-]{22}$/.test(push) ? { push } : {}),
  };
}

function parseRecord(text: string | null): Readonly<Record<string, unknown>> | undefined {
  if (text === null) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
