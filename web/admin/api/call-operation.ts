// Calls operations of the admin interface with the tab's sign-in (state/signed-in.ts).

import { forgetSignIn, readToken } from '../state/signed-in.ts';

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

/** A refusal or failure of the service, in its own words. */
export class OperationError extends Error {
  override readonly name = 'OperationError';
  /** 0 where no answer came. */
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** @param path after `/admin/` @throws OperationError */
export function readOperation<A>(path: string, parameters: Parameters = {}): Promise<A> {
  return call<A>(withQuery(path, parameters), { method: 'GET' });
}

function withQuery(path: string, parameters: Parameters): string {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Parameters that are undefined or empty are left out. @throws OperationError */
export function carryOut<A = unknown>(path: string, parameters: Parameters = {}): Promise<A> {
  const given = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== '');
  return call<A>(path, {
    method: 'POST',
    body: JSON.stringify(Object.fromEntries(given)),
    headers: { 'content-type': 'application/json' },
  });
}

/** @throws OperationError */
export async function openStream(
  path: string,
  parameters: Parameters,
  { lastEventId, signal }: { readonly lastEventId: string; readonly signal: AbortSignal },
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const headers = withToken();
  if (lastEventId !== '') headers.set('last-event-id', lastEventId);
  const response = await ask(withQuery(path, parameters), { headers, signal });
  if (response.ok && response.body) return response.body;
  throw toError(response.status, await response.json());
}

async function call<A>(path: string, options: RequestInit): Promise<A> {
  const headers = withToken(options.headers);
  const response = await ask(path, { ...options, headers });
  const answer: unknown = await response.json();
  if (response.ok) return answer as A;
  throw toError(response.status, answer);
}

function withToken(given?: HeadersInit): Headers {
  const headers = new Headers(given);
  const token = readToken();
  if (token !== '') headers.set('authorization', `Bearer ${token}`);
  return headers;
}

function toError(status: number, answer: unknown): OperationError {
  const message = readMessage(answer);
  // The sign-in has ended, or was refused.
  if (status === 401) forgetSignIn(message);
  return new OperationError(status, message);
}

async function ask(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(`/admin/${path}`, options);
  } catch (error) {
    if (error instanceof TypeError) throw new OperationError(0, error.message);
    throw error;
  }
}

function readMessage(answer: unknown): string {
  const hasMessage = typeof answer === 'object' && answer !== null && 'message' in answer;
  return hasMessage ? String(answer.message) : '';
}
