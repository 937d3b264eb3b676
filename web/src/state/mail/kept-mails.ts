// Opened messages, kept for when the service is unreachable: in an IndexedDB of this browser, separate for each place
// that a service is at. A session is identified by a hash of its token, so that entries whose session is gone can be
// recognised and removed. Layouts and attachments are not kept. app/keeping.ts decides what is kept and removed.
import type { FullMessage } from '../../api/answers.ts';

export interface KeptMail {
  /** A hash of the token. */
  readonly session: string;
  readonly id: number;
  readonly message: FullMessage;
}

const storeName = 'mails';
const version = 1;

/** The newest of each session are kept. */
const mostKept = 50;
/** The size of one message, as text. */
const mostChars = 500_000;

function databaseName(): string {
  return `mayfly mail ${new URL(document.baseURI).pathname}`;
}

/** Returns null on an insecure origin, which cannot hash and keeps nothing. */
export async function hashSession(token: string): Promise<string | null> {
  if (!('subtle' in crypto) || !('indexedDB' in globalThis)) return null;
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token));
  return Array.from(new Uint8Array(hash).subarray(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join(
    '',
  );
}

export async function putMail(mail: KeptMail): Promise<void> {
  if (JSON.stringify(mail.message).length > mostChars) return;
  await use('readwrite', async (store) => {
    await done(store.put(mail));
    const ids = (await done(store.getAllKeys(ofSession(mail.session)))) as [string, number][];
    const tooMany = ids.slice(0, Math.max(0, ids.length - mostKept));
    await Promise.all(tooMany.map((key) => done(store.delete(key))));
  });
}

export async function findMail(session: string, id: number): Promise<FullMessage | null> {
  if (!(await exists())) return null;
  const found = await use('readonly', (store) =>
    done(store.get([session, id]) as IDBRequest<KeptMail | undefined>),
  );
  return found?.message ?? null;
}

/** Newest first. */
export async function listMails(session: string): Promise<readonly FullMessage[]> {
  if (!(await exists())) return [];
  const found = await use('readonly', (store) =>
    done(store.getAll(ofSession(session)) as IDBRequest<KeptMail[]>),
  );
  return found.map(({ message }) => message).reverse();
}

export async function listAllMails(): Promise<readonly KeptMail[]> {
  if (!(await exists())) return [];
  return use('readonly', (store) => done(store.getAll() as IDBRequest<KeptMail[]>));
}

/** Removes the messages that `isWanted` refuses, and the database when nothing is left. */
export async function sweepMails(isWanted: (session: string, id: number) => boolean): Promise<void> {
  if (!(await exists())) return;
  const left = await use('readwrite', async (store) => {
    const keys = (await done(store.getAllKeys())) as [string, number][];
    const unwanted = keys.filter(([session, id]) => !isWanted(session, id));
    await Promise.all(unwanted.map((key) => done(store.delete(key))));
    return keys.length - unwanted.length;
  });
  if (left === 0) await forgetMails();
}

export async function forgetMails(): Promise<void> {
  if ('indexedDB' in globalThis) await done(indexedDB.deleteDatabase(databaseName()));
}

/** Checked first, because opening would create one. */
async function exists(): Promise<boolean> {
  if (!('indexedDB' in globalThis)) return false;
  const all = await indexedDB.databases();
  return all.some(({ name }) => name === databaseName());
}

function ofSession(session: string): IDBKeyRange {
  return IDBKeyRange.bound([session, 0], [session, Infinity]);
}

/** Opened for one use: an open database would keep other windows from deleting it. */
async function use<T>(mode: IDBTransactionMode, work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(databaseName(), version);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(storeName, { keyPath: ['session', 'id'] });
  };
  const database = await done(opening);
  try {
    const transaction = database.transaction(storeName, mode);
    const result = await work(transaction.objectStore(storeName));
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => {
        reject(transaction.error ?? new DOMException('aborted', 'AbortError'));
      };
    });
    return result;
  } finally {
    database.close();
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => {
      resolve(request.result);
    };
    request.onerror = () => {
      reject(request.error ?? new DOMException('failed', 'UnknownError'));
    };
  });
}
