// Sessions and addresses in SQLite: claiming, finding, extending, ending. Runs in the writer's transactions or as
// single reads; owned by SqliteMailStore.

import type { Database } from '#group-commit/driver';
import type { CommitProgress } from '#group-commit/writer';
import { endedKnownMs } from '../../../domain/limits.ts';
import type { Session, SessionKey, SessionLookup } from '../../../domain/session.ts';
import type { NewAddress, NewSession, RenameOutcome } from '../../mail-store.ts';
import { KnownSessions } from '../../known-sessions.ts';
import { toNewSession } from '../../new-session.ts';
import { seqMax, toRowId } from './message-row-id.ts';

/** The columns of `sessions` and `session_states`. */
export interface SessionRow {
  readonly id: number;
  readonly key: Uint8Array;
  readonly token_hash: Uint8Array;
  readonly address: string;
  readonly address_key: string;
  readonly created_at: number;
  readonly latest_end_at: number;
  readonly quarantine_ms: number;
  readonly account_id: number | null;
  readonly drops_oldest: number;
  readonly public_key: Uint8Array;
  /** Null once it has ended. */
  readonly salt: Uint8Array | null;
  readonly expires_at: number;
  readonly ended_at: number | null;
  seq: number;
  version: number;
  message_count: number;
  message_bytes: number;
  /**
   * The number of the commit that last changed it, or a later one: until that is on disk the change must not be
   * revealed.
   */
  changedIn: number;
}

function toSession(row: SessionRow, salt: Uint8Array): Session {
  return {
    key: row.key as SessionKey,
    address: row.address,
    publicKey: row.public_key,
    salt,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    latestEndAt: row.latest_end_at,
    seq: row.seq,
    version: row.version,
    messageCount: row.message_count,
    messageBytes: row.message_bytes,
    ...(row.drops_oldest === 1 ? { dropsOldest: true } : {}),
  };
}

/** Returns the result of a look-up by token, for a row that is not due. */
export function toLookup(row: SessionRow | undefined, now: number): SessionLookup {
  if (!row) return { state: 'unknown' };
  const { ended_at: endedAt, salt } = row;
  if (endedAt === null && salt) return { state: 'live', session: toSession(row, salt), now };
  return { state: now - (endedAt ?? row.expires_at) < endedKnownMs ? 'ended' : 'unknown' };
}

const selectSession = 'SELECT s.*, t.* FROM sessions s JOIN session_states t ON t.session_id = s.id';

/** The domain of a capture session follows its label: `*@LABEL.DOMAIN`. */
const ownDomain = `CASE substr(s.address_key, 1, 2) WHEN '*@' THEN substr(s.address_key, 12)
  ELSE substr(s.address_key, instr(s.address_key, '@') + 1) END`;

interface SessionRowsOptions {
  readonly progress: Readonly<CommitProgress>;
  /** Called in the transaction that ends a session, to clear what memory holds of it. */
  readonly onEnded: (key: SessionKey) => void;
}

type InsertedValues = [
  ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array, string, string],
  ...[number, number, number, number | null, number],
];

export class SessionRows {
  readonly #database: Database.Database;
  readonly #options: SessionRowsOptions;
  // One process owns the file, and every change passes through here and MessageRows, so a cached row matches the file:
  // it is evicted on every change except a delivery, and all rows are evicted when a transaction is rolled back.
  readonly #known = new KnownSessions<SessionRow>(({ address_key: addressKey }) => addressKey);
  readonly #byKey;
  readonly #byAddress;
  readonly #addressHolder;
  readonly #claim;
  readonly #insert;
  readonly #insertState;
  readonly #extend;
  readonly #rename;
  readonly #recordChange;
  readonly #end;
  readonly #dropSecrets;
  readonly #rest;
  readonly #insertEvent;
  readonly #due;
  readonly #liveOfDomain;
  readonly #liveOfAccount;
  readonly #mailbox;

  constructor(database: Database.Database, options: SessionRowsOptions) {
    this.#database = database;
    this.#options = options;
    this.#byKey = database.prepare<[Uint8Array], SessionRow>(`${selectSession} WHERE s.key = ?`);
    this.#byAddress = database.prepare<[string], SessionRow>(
      // Addresses in quarantine cost the same look-up as unknown ones, so that timing does not distinguish them.
      `${selectSession} WHERE s.id = (SELECT session_id FROM addresses WHERE address_key = ? AND free_at IS NULL)`,
    );
    this.#addressHolder = database.prepare<[string], { free_at: number | null; session_id: number }>(
      'SELECT free_at, session_id FROM addresses WHERE address_key = ?',
    );
    this.#claim = database.prepare<[string, number, number | null]>(
      'INSERT OR REPLACE INTO addresses (address_key, session_id, free_at, dots_of) VALUES (?, ?, NULL, ?)',
    );
    this.#insert = database.prepare<InsertedValues>(
      `INSERT INTO sessions
         (key, token_hash, public_key, salt, address, address_key, created_at, latest_end_at, quarantine_ms, account_id,
          drops_oldest)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    this.#insertState = database.prepare<[number, number]>(
      'INSERT INTO session_states (session_id, expires_at) VALUES (?, ?)',
    );
    this.#extend = database.prepare<[number, number]>(
      'UPDATE session_states SET expires_at = ?, seq = seq + 1, version = version + 1 WHERE session_id = ?',
    );
    this.#rename = database.prepare<[string, string, number, number]>(
      'UPDATE sessions SET address = ?, address_key = ?, quarantine_ms = ? WHERE id = ?',
    );
    this.#recordChange = database.prepare<[number]>(
      'UPDATE session_states SET seq = seq + 1, version = version + 1 WHERE session_id = ?',
    );
    this.#end = database.prepare<[number, number]>(
      'UPDATE session_states SET ended_at = ?, seq = seq + 1, version = version + 1 WHERE session_id = ?',
    );
    this.#dropSecrets = database.prepare<[number]>(
      'UPDATE sessions SET salt = NULL, password = NULL, shares = NULL, pushes = NULL, sent_keys = NULL WHERE id = ?',
    );
    this.#rest = database.prepare<[number, string, number]>(
      'UPDATE addresses SET free_at = ? WHERE address_key = ? AND session_id = ?',
    );
    this.#insertEvent = database.prepare<[number, string, number]>(
      'INSERT INTO events (id, kind, at) VALUES (?, ?, ?)',
    );
    this.#due = database.prepare<[number, number], SessionRow>(
      `${selectSession} WHERE t.ended_at IS NULL AND t.expires_at <= ? ORDER BY t.expires_at LIMIT ?`,
    );
    this.#liveOfDomain = database.prepare<[string], SessionRow>(
      `${selectSession} WHERE t.ended_at IS NULL AND ${ownDomain} = ?`,
    );
    this.#liveOfAccount = database.prepare<[number], SessionRow>(
      `${selectSession} WHERE s.account_id = ? AND s.salt IS NOT NULL`,
    );
    this.#mailbox = database
      .prepare<[number], number>('SELECT mailbox_id FROM gmail_accounts WHERE id = ?')
      .pluck();
  }

  /** Runs in a transaction. */
  create(session: NewSession, now: number): Session | 'taken' {
    const holder = this.#addressHolder.get(session.addressKey);
    if (holder && !this.#isFree(session.addressKey, holder.free_at, now)) return 'taken';
    const id = this.#insert.run(
      session.key,
      session.tokenHash,
      session.publicKey,
      session.salt,
      session.address,
      session.addressKey,
      now,
      now + session.totalLifetimeMs,
      session.quarantineMs,
      session.accountId ?? null,
      session.dropsOldest === true ? 1 : 0,
    ).lastInsertRowid as number;
    this.#insertState.run(id, now + session.lifetimeMs);
    this.#claim.run(session.addressKey, id, this.#mailboxOfDots(session));
    return toNewSession(session, now);
  }

  /** For an account's alias without a plus tag, one of its few dot variants. */
  #mailboxOfDots({ accountId, addressKey }: NewSession): number | null {
    if (accountId === undefined || addressKey.includes('+')) return null;
    return this.#mailbox.get(accountId) ?? null;
  }

  #isFree(addressKey: string, freeAt: number | null, now: number): boolean {
    if (freeAt !== null) return freeAt <= now;
    const row = this.#byAddress.get(addressKey);
    if (!row || row.expires_at > now) return false;
    // Due but not yet swept: it ends here, and without a quarantine its address is free at once.
    this.end(row, now);
    return row.expires_at + row.quarantine_ms <= now;
  }

  /**
   * Runs in a transaction. Returns the row of a live session; a due one ends here, so that a clock going back cannot
   * revive it after a caller saw it ended.
   */
  takeLive(key: SessionKey, now: number): SessionRow | undefined {
    const row = this.findRow(key);
    if (row?.ended_at !== null) return undefined;
    if (row.expires_at > now) return row;
    this.end(row, now);
    return undefined;
  }

  /** Returns the row of the address's holder, which may be due. */
  findRowByAddress(addressKey: string): SessionRow | undefined {
    return this.#known.findByAddress(addressKey) ?? this.#keep(this.#byAddress.get(addressKey));
  }

  findRowByToken(tokenHash: Uint8Array): SessionRow | undefined {
    const row = this.findRow(tokenHash.subarray(0, 16) as SessionKey);
    return row && Buffer.compare(row.token_hash, tokenHash) === 0 ? row : undefined;
  }

  /** Returns the row in any state; undefined when unknown. Deliveries change it in place. */
  findRow(key: SessionKey): SessionRow | undefined {
    return this.#known.findByKey(key) ?? this.#keep(this.#byKey.get(key));
  }

  /** Returns the row if it is in memory. Does not read, and so never throws. */
  findKnown(key: SessionKey): SessionRow | undefined {
    return this.#known.findByKey(key);
  }

  findId(key: SessionKey): number | undefined {
    return this.findRow(key)?.id;
  }

  /** Call after changing the session's row in the file, so that it is reread. */
  forget(key: SessionKey): void {
    const row = this.#known.findByKey(key);
    if (row) this.#known.forget(row);
  }

  /** Call after a rollback, which invalidates everything changed in place. */
  forgetAll(): void {
    this.#known.clear();
  }

  #keep(row: SessionRow | undefined): SessionRow | undefined {
    if (row) row.changedIn = this.#options.progress.current - (this.#database.inTransaction ? 0 : 1);
    if (row?.ended_at === null) this.#known.add(row);
    return row;
  }

  /** Runs in a transaction. */
  extend(key: SessionKey, lifetimeMs: number, now: number): Session | undefined {
    const row = this.takeLive(key, now);
    if (!row?.salt) return undefined;
    const expiresAt = Math.max(row.expires_at, Math.min(now + lifetimeMs, row.latest_end_at));
    if (expiresAt === row.expires_at) return toSession(row, row.salt);
    this.#extend.run(expiresAt, row.id);
    this.forget(key);
    this.#addEvent(row, 'session.extended', now);
    return toSession({ ...row, expires_at: expiresAt, seq: row.seq + 1, version: row.version + 1 }, row.salt);
  }

  /** Runs in a transaction. */
  rename(key: SessionKey, { address, addressKey, quarantineMs }: NewAddress, now: number): RenameOutcome {
    const row = this.takeLive(key, now);
    if (!row?.salt) return 'ended';
    if (row.account_id !== null) return 'alias';
    if (row.address_key === addressKey) return toSession(row, row.salt);
    const holder = this.#addressHolder.get(addressKey);
    const isOwn = holder?.session_id === row.id;
    if (holder && !isOwn && !this.#isFree(addressKey, holder.free_at, now)) return 'taken';
    this.#rest.run(now + row.quarantine_ms, row.address_key, row.id);
    this.#claim.run(addressKey, row.id, null);
    this.#rename.run(address, addressKey, quarantineMs, row.id);
    this.#recordChange.run(row.id);
    this.forget(key);
    this.#addEvent(row, 'session.renamed', now);
    return toSession({ ...row, address, seq: row.seq + 1, version: row.version + 1 }, row.salt);
  }

  /** Runs in a transaction. Ends the session, puts its address in quarantine and deletes what opened its mail. */
  end(row: SessionRow, now: number): void {
    const endedAt = Math.min(now, row.expires_at);
    this.#dropSecrets.run(row.id);
    this.#end.run(endedAt, row.id);
    this.#known.forget(row);
    this.#options.onEnded(row.key as SessionKey);
    this.#rest.run(endedAt + row.quarantine_ms, row.address_key, row.id);
    this.#addEvent(row, 'session.expired', endedAt);
  }

  /** Returns sessions past their expiry that have not been ended, the longest due first. */
  listDue(now: number, limit: number): SessionRow[] {
    return this.#due.all(now, limit);
  }

  listLiveOfDomain(domain: string): SessionRow[] {
    return this.#liveOfDomain.all(domain);
  }

  listLiveOfAccount(accountId: number): SessionRow[] {
    return this.#liveOfAccount.all(accountId);
  }

  #addEvent(row: SessionRow, kind: string, now: number): void {
    if (row.seq < seqMax) this.#insertEvent.run(toRowId(row.id, row.seq + 1), kind, now);
  }
}
