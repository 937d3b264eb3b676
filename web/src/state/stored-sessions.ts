// The sessions that this browser keeps, as they lie in localStorage under one key: the only place a token is kept. What
// is read there may be of an older version or of somebody else's making, so it is checked. Used by state/mailboxes.ts.

export const sessionsKey = 'mayfly.sessions';

export interface StoredSession {
  readonly token: string;
  readonly email: string;
  /** By this device's clock, milliseconds since 1970. */
  readonly endsAt: number;
  /** It came by a link, so others have it too. */
  readonly isShared: boolean;
  /** Of a developer's service: the `host:port` at which all mail is taken. Absent for every other session. */
  readonly smtp?: string;
  /** By which push messages name it; absent for none. */
  readonly push?: string;
  /** The reader's own name for it; absent for none. */
  readonly label?: string;
}

export interface StoredSessions {
  /** Token of the session last looked at; null for none. */
  readonly current: string | null;
  readonly sessions: readonly StoredSession[];
}

const version = 1;
/** Far more than anybody has open; bounds what a foreign hand can make the page do. */
export const mostSessions = 50;
export const longestLabel = 40;

/** Whatever is not a session of ours is passed over. */
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
    ...{ token, email, endsAt },
    ...(isShared ? { isShared } : {}),
    ...(smtp === undefined ? {} : { smtp }),
    ...(label === '' ? {} : { label }),
    ...(push === '' ? {} : { push }),
  }));
  return JSON.stringify({ version, current, sessions: kept });
}

/** A token of create-session or create-share; undefined for anything else, such as what a link may carry. */
export function parseToken(value: unknown): string | undefined {
  return typeof value === 'string' && /^mfs?_[\w-]{20,100}$/.test(value) ? value : undefined;
}

/** Whether the token is of a share, which changes nothing. */
export function isReadOnly(token: string): boolean {
  return token.startsWith('mfs_');
}

/** A label as it is kept and shown: one line, without what would turn the text around it. Empty for anything else. */
export function parseLabel(value: unknown): string {
  if (typeof value !== 'string') return '';
  // What is given may be of any length: only its beginning is looked at.
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
    ...{ token, email, endsAt, isShared: isShared === true || isReadOnly(token) },
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
