// The operations of the interface used by the app, one function each.
import type {
  CreatedSession,
  DomainList,
  Expiry,
  FullMessage,
  MessageList,
  SessionDetails,
} from './answers.ts';
import { readAnswer, request, requestJson } from './request.ts';

export interface NewSession {
  readonly prefix?: string;
  readonly domain_id?: number;
  readonly use_gmail?: 1;
  readonly gmail_auto?: 1;
  readonly gmail_id?: number;
  readonly alias?: 'dot' | 'plus';
  /** Seconds. */
  readonly lifetime?: number;
}

/** @param begun the answer to the same request, which is on its way already */
export function createSession(
  wanted: NewSession = {},
  begun?: Promise<Response | null>,
): Promise<CreatedSession> {
  return requestJson('create-session', { method: 'POST', body: { ...wanted }, begun });
}

export function listDomains(): Promise<DomainList> {
  return requestJson('domains');
}

export function showSession(token: string): Promise<SessionDetails> {
  return requestJson('session', { token });
}

/** @param lifetime seconds from now; by default the service's own */
export function extendSession(token: string, lifetime?: number): Promise<Expiry> {
  return requestJson('extend-session', { method: 'POST', token, body: { lifetime } });
}

export interface CreatedShare extends Expiry {
  /** The share's token. */
  readonly share: string;
  readonly share_id: string;
}

export function createShare(token: string): Promise<CreatedShare> {
  return requestJson('create-share', { method: 'POST', token, body: {} });
}

/** Revokes every share of the session. */
export async function revokeShares(token: string): Promise<void> {
  const { shares } = await requestJson<{ shares: { share_id: string }[] }>('shares', { token });
  await Promise.all(
    shares.map(({ share_id }) => request('revoke-share', { method: 'POST', token, body: { share_id } })),
  );
}

/** Returns null where the service offers no push. */
export async function findPushKey(): Promise<string | null> {
  return (await requestJson<{ public_key: string | null }>('push-key')).public_key;
}

/** Returns the id of the subscription in push messages. */
export async function subscribePush(
  token: string,
  subscription: { readonly endpoint: string; readonly p256dh: string; readonly auth: string },
): Promise<string> {
  const options = { method: 'POST', token, body: { ...subscription } } as const;
  return (await requestJson<{ subscription_id: string }>('subscribe-push', options)).subscription_id;
}

export async function unsubscribePush(token: string, id: string): Promise<void> {
  await request('unsubscribe-push', { method: 'POST', token, body: { subscription_id: id } });
}

/** `isLast`: the page is closing and the answer will not be read. */
export async function endSession(token: string, isLast = false): Promise<void> {
  await request('end-session', { method: 'POST', token, body: {}, keepalive: isLast });
}

export interface ListOptions {
  readonly after?: number;
  /** Seconds to wait for a message after `after`. */
  readonly wait?: number;
  /** Words that must all occur in the sender, the subject, the text or the name of an attachment. */
  readonly words?: string;
  /** Tag of the list that the caller has. */
  readonly tag?: string | undefined;
  readonly signal?: AbortSignal;
}

/** `list` is null while it still has the caller's tag. */
export async function checkMail(
  token: string,
  { after, wait, words, tag, signal }: ListOptions = {},
): Promise<{ list: MessageList | null; tag: string | undefined }> {
  const response = await request('check-mail', {
    token,
    query: { after, wait, q: words },
    ...(tag === undefined ? {} : { headers: { 'if-none-match': tag } }),
    ...(signal ? { signal } : {}),
  });
  if (response.status === 304) return { list: null, tag };
  const list = await readAnswer<MessageList>(response);
  return { list, tag: response.headers.get('etag') ?? undefined };
}

export interface ReadOptions {
  /** Leaves the message unread. */
  readonly isPeek?: boolean;
  readonly signal?: AbortSignal;
}

export async function readMail(
  token: string,
  id: number,
  { isPeek = false, signal }: ReadOptions = {},
): Promise<FullMessage> {
  const answer = await requestJson<{ message: FullMessage }>(isPeek ? 'peek-mail' : 'read-mail', {
    token,
    query: { id },
    ...(signal ? { signal } : {}),
  });
  return answer.message;
}

/** Stores the message of a file. */
export async function importMail(token: string, file: Blob): Promise<void> {
  await request('import', { method: 'POST', token, file });
}

/** The most ids that one request takes. */
const mostIds = 500;

/** Messages already gone are no error. */
export async function deleteMails(token: string, ids: readonly number[]): Promise<void> {
  for (const some of inPortions(ids)) {
    await request('delete-mail', { method: 'POST', token, body: { ids: some } });
  }
}

let lastMark: Promise<void> = Promise.resolve();

/** One after the other: of two at once, the service might take the later one first. */
export function markMails(token: string, ids: readonly number[], isRead: boolean): Promise<void> {
  const made = lastMark.then(() => sendMarks(token, ids, isRead));
  lastMark = made.then(ignore, ignore);
  return made;
}

async function sendMarks(token: string, ids: readonly number[], isRead: boolean): Promise<void> {
  const read = isRead ? 1 : 0;
  for (const some of inPortions(ids)) {
    await request('mark-mail', { method: 'POST', token, body: { ids: some, read } });
  }
}

/** The caller has the failure, which is none of the next request's. */
function ignore(): undefined {
  return undefined;
}

function inPortions(ids: readonly number[]): string[] {
  return Array.from({ length: Math.ceil(ids.length / mostIds) }, (_, at) =>
    ids.slice(at * mostIds, (at + 1) * mostIds).join(','),
  );
}

/** The whole message, or its HTML as the sender wrote it. */
export type RawPart = 'raw-mail' | 'html-source';

export function openRawMail(
  token: string,
  { id, part, signal }: { readonly id: number; readonly part: RawPart; readonly signal: AbortSignal },
): Promise<Response> {
  return request(part, { token, query: { id }, signal });
}

/** @param after the last event received */
export function openEvents(token: string, after: number, signal: AbortSignal): Promise<Response> {
  return request('events', { token, headers: { 'last-event-id': String(after) }, signal });
}
