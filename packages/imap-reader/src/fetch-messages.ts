// Reads from the selected folder for a poller: the new messages, their headers, a body. Marks nothing as read
// (BODY.PEEK), and ignores responses that were not requested.

import type { FetchMessageObject, FetchQueryObject, ImapFlowError } from 'imapflow';

import { classifyFailure, PollFailure } from './classify-failure.ts';
import { bodyPieceBytes, type ImapConnection } from './imap-connection.ts';

/** UIDs requested at once, which keeps responses short however full the folder is. */
const windowUids = 20_000;
const dayMs = 86_400_000;
/** Unrequested responses tolerated in one exchange. */
const othersMax = 1000;
/** The time limit for one body with all its pieces. */
const bodyMaxMs = 600_000;

/** The most bytes of a header that are fetched and examined. */
const headerMaxBytes = 64 * 1024;

export interface FetchedHeader {
  readonly uid: number;
  /** INTERNALDATE in ms since 1970, whole seconds; undefined if the server sent none. */
  readonly arrivedAt: number | undefined;
  /** As reported by the server. */
  readonly sizeBytes: number;
  readonly serverId: string | undefined;
  readonly header: Buffer;
}

export interface NewUids {
  /** Ascending, all greater than the requested one. */
  readonly uids: readonly number[];
  /** Every UID up to this one has been seen or is in `uids`. */
  readonly seenTo: number;
  /** Whether there may be more above. */
  readonly isPart: boolean;
}

/** Finds messages above `lastUid` that arrived since the instant, to the day. */
export async function findNewUids(
  connection: ImapConnection,
  lastUid: number,
  since: number,
): Promise<NewUids> {
  const { uidNext } = connection;
  const end = lastUid + windowUids;
  const isPart = uidNext - 1 > end;
  const found = await connection.run((client) =>
    client.search(
      // Leave a day's margin, because the server compares dates in a time zone of its choice.
      { uid: `${lastUid + 1}:${isPart ? end : '*'}`, since: new Date(Math.max(0, since - dayMs)) },
      { uid: true },
    ),
  );
  if (!Array.isArray(found)) throw new PollFailure('failing', 'The server refused to search the folder.');
  // `n:*` includes the last message even when its UID is below n.
  const uids = found.filter((uid) => uid > lastUid).sort((a, b) => a - b);
  const seenTo = isPart ? end : Math.max(lastUid, uidNext - 1, uids.at(-1) ?? 0);
  return { uids, seenTo, isPart };
}

/** In order of UID; messages removed meanwhile are left out. */
export async function fetchHeaders(
  connection: ImapConnection,
  uids: readonly number[],
): Promise<FetchedHeader[]> {
  const query = {
    uid: true,
    internalDate: true,
    size: true,
    bodyParts: [{ key: 'HEADER', maxLength: headerMaxBytes }],
  };
  const fetched = await fetchWanted(connection, { uids, query }, ({ headers }) => headers !== undefined);
  return fetched.map((message) => ({
    uid: message.uid,
    arrivedAt: message.internalDate instanceof Date ? message.internalDate.getTime() : undefined,
    sizeBytes: message.size ?? 0,
    serverId: readServerId(message.emailId),
    header: (message.headers ?? Buffer.alloc(0)).subarray(0, headerMaxBytes),
  }));
}

/** Returns INTERNALDATE by UID, so that messages that are too old are skipped without fetching their headers. */
export async function fetchArrivals(
  connection: ImapConnection,
  uids: readonly number[],
): Promise<Map<number, number>> {
  const query = { uid: true, internalDate: true };
  const fetched = await fetchWanted(
    connection,
    { uids, query },
    (message) => message.internalDate !== undefined,
  );
  return new Map(
    fetched.flatMap(({ uid, internalDate }) =>
      internalDate instanceof Date ? [[uid, internalDate.getTime()]] : [],
    ),
  );
}

/**
 * Fetches the whole message in pieces, exactly as the server sends it. `too-large`: it exceeds `bytesMax`, whatever
 * size the server reported. `gone`: it was removed meanwhile. @throws PollFailure `broken` when there is not a byte of
 * it, though it has a header
 */
export async function fetchBody(
  connection: ImapConnection,
  uid: number,
  bytesMax: number,
): Promise<Buffer[] | 'too-large' | 'gone'> {
  const startedAt = performance.now();
  const pieces: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    if (performance.now() - startedAt > bodyMaxMs) {
      throw new PollFailure('broken', 'The server took too long for one message.');
    }
    const piece = await fetchPiece(connection, uid, bytes);
    // A message that disappears between two pieces is gone too.
    if (piece === undefined) return 'gone';
    bytes += piece.length;
    if (bytes > bytesMax) return 'too-large';
    if (bytes === 0) throw new PollFailure('broken', 'The server sent an empty message.');
    if (piece.length > 0) pieces.push(piece);
    if (piece.length < bodyPieceBytes) return pieces;
  }
}

async function fetchPiece(
  connection: ImapConnection,
  uid: number,
  start: number,
): Promise<Buffer | undefined> {
  const query = { uid: true, source: { start, maxLength: bodyPieceBytes } };
  const [message] = await fetchWanted(
    connection,
    { uids: [uid], query },
    ({ source }) => source !== undefined,
  );
  return message?.source?.subarray(0, bodyPieceBytes);
}

/** Servers interleave responses about other messages and changed flags: accepts only what was requested, once. */
async function fetchWanted(
  connection: ImapConnection,
  { uids, query }: { readonly uids: readonly number[]; readonly query: FetchQueryObject },
  isComplete: (message: FetchMessageObject) => boolean,
): Promise<FetchMessageObject[]> {
  const wanted = new Set(uids);
  const taken: FetchMessageObject[] = [];
  let othersLeft = othersMax;
  await connection
    .run(async (client) => {
      for await (const message of client.fetch(uids.join(','), query, { uid: true })) {
        if (isComplete(message) && wanted.delete(message.uid)) taken.push(message);
        else if (--othersLeft < 0) throw endFlood(connection);
      }
    })
    .catch((error: unknown) => {
      throw isRefusedFetch(error) ? new PollFailure('broken', classifyFailure(error).detail, error) : error;
    });
  return taken.sort((a, b) => a.uid - b.uid);
}

function endFlood(connection: ImapConnection): PollFailure {
  connection.close();
  return new PollFailure('broken', 'The server sent more than was requested.');
}

/** Reports a NO or BAD whose reason is not temporary. */
function isRefusedFetch(error: unknown): boolean {
  const { responseStatus } = error as Partial<ImapFlowError>;
  return responseStatus !== undefined && classifyFailure(error).kind === 'failing';
}

function readServerId(id: string | undefined): string | undefined {
  return id !== undefined && /^[\x21-\x7e]{1,255}$/.test(id) ? id : undefined;
}
