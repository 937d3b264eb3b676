// Tracks how far a folder has been read, stored under the account's lease, and the account's daily byte budget. One per
// connection.

import { PollFailure } from '#imap-reader/classify-failure';
import type { ImapConnection } from '#imap-reader/imap-connection';
import type { GmailCursor } from '../store/gmail-store.ts';
import { type PollContext, readAccount } from './poll-context.ts';

/** Fetched bytes that may wait to be stored with the next message. */
const unkeptMaxBytes = 64 * 1024;

export class FolderProgress {
  readonly #context: PollContext;
  readonly #folder: string;
  #cursor: GmailCursor;
  #bytes = 0;
  #unmatched = 0;

  private constructor(context: PollContext, folder: string, cursor: GmailCursor) {
    this.#context = context;
    this.#folder = folder;
    this.#cursor = cursor;
  }

  /**
   * Finds where to begin in the selected folder. With a different UIDVALIDITY: at its first message, since messages a
   * session already has are recognised by their origin. In a new folder: after its last message, unless sessions are
   * waiting for mail.
   */
  static async open(
    context: PollContext,
    connection: ImapConnection,
    { folder, uidValidity }: { readonly folder: string; readonly uidValidity: number },
  ): Promise<FolderProgress> {
    const kept = await context.parts.store.findCursor(context.account.id, folder);
    if (kept?.uidValidity === uidValidity) return new FolderProgress(context, folder, kept);
    const lastUid = kept || (await countSessions(context)) > 0 ? 0 : await findLastUid(connection);
    const progress = new FolderProgress(context, folder, { uidValidity, lastUid });
    await progress.#keep();
    return progress;
  }

  get lastUid(): number {
    return this.#cursor.lastUid;
  }

  get uidValidity(): number {
    return this.#cursor.uidValidity;
  }

  /** Adds the bytes received over the connection since the last call. */
  countBytes(connection: ImapConnection): void {
    this.#bytes += connection.takeBytes();
  }

  countUnmatched(messages: number): void {
    this.#unmatched += messages;
  }

  /** Records that everything up to this UID is done, if that is worth storing. */
  async moveTo(uid: number, connection: ImapConnection): Promise<void> {
    this.countBytes(connection);
    if (uid <= this.#cursor.lastUid && this.#bytes < unkeptMaxBytes) return;
    this.#cursor = { ...this.#cursor, lastUid: Math.max(uid, this.#cursor.lastUid) };
    await this.#keep();
  }

  /** Called when a connection ends: its bytes count even if it achieved nothing. */
  async keepBytes(connection: ImapConnection): Promise<void> {
    this.countBytes(connection);
    if (this.#bytes > 0 && !this.#context.signal.aborted) await this.#keep();
  }

  /** @throws PollFailure `spent` when this many more bytes would exceed the daily budget */
  async checkBudget(connection: ImapConnection, bytes: number): Promise<void> {
    const { dayMaxBytes } = this.#context.parts.settings;
    if (dayMaxBytes === 0) return;
    this.countBytes(connection);
    const account = await readAccount(this.#context);
    if ((account?.bytesToday ?? 0) + this.#bytes + bytes <= dayMaxBytes) return;
    throw spentFailure(dayMaxBytes);
  }

  async #keep(): Promise<void> {
    const { parts, lease, account, stop } = this.#context;
    const usage = { bytes: this.#bytes, unmatched: this.#unmatched };
    const progress = { accountId: account.id, folder: this.#folder, cursor: this.#cursor, ...usage };
    const isKept = await parts.store.keepProgress(lease, progress);
    this.#bytes -= usage.bytes;
    this.#unmatched -= usage.unmatched;
    if (!isKept) stop();
  }
}

export function spentFailure(dayMaxBytes: number): PollFailure {
  return new PollFailure(
    'spent',
    `The ${dayMaxBytes} bytes of this day are used up; polling continues at 00:00 UTC.`,
  );
}

async function countSessions(context: PollContext): Promise<number> {
  return (await readAccount(context))?.liveSessions ?? 0;
}

/** Not every server reports UIDNEXT. */
async function findLastUid(connection: ImapConnection): Promise<number> {
  if (connection.uidNext > 0) return connection.uidNext - 1;
  const last = await connection.run((client) => client.search({ uid: '*' }, { uid: true }));
  return Array.isArray(last) ? Math.max(0, ...last) : 0;
}
