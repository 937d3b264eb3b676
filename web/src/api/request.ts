// The only way to the service. The token goes into the Authorization header and nowhere else; paths are relative to
// the page, so that any base path works. Every failure becomes an ApiError.
import { createNap } from '../live/nap.ts';
import { ApiError } from './api-error.ts';

export interface RequestOptions {
  readonly method?: 'GET' | 'POST';
  readonly token?: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, string | number | undefined>>;
  /** Sent in place of JSON: a message. */
  readonly file?: Blob;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The request outlives the page. */
  readonly keepalive?: boolean;
  /** The answer to the same request, which is on its way already; null if there is none. */
  readonly begun?: Promise<Response | null> | undefined;
}

function toServiceUrl(path: string, query: RequestOptions['query'] = {}): string {
  const url = new URL(path, document.baseURI);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value));
  }
  return url.href;
}

/** The longest total wait while the service limits the rate: a quick reader is not an error. */
const patienceMs = 20_000;

/**
 * Resolves with any successful response, 304 included. After a 429 that asks for a short wait, waits and tries again.
 * @throws ApiError; an AbortError passes through
 */
export async function request(path: string, options: RequestOptions = {}): Promise<Response> {
  const { method = 'GET', token, body, file, signal, keepalive = false } = options;
  const headers: Record<string, string> = { ...options.headers };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (body) headers['content-type'] = 'application/json';
  if (file) headers['content-type'] = 'message/rfc822';
  const init: RequestInit = { method, headers, keepalive, credentials: 'omit', cache: 'no-store' };
  if (body) init.body = JSON.stringify(body);
  if (file) init.body = file;
  if (signal) init.signal = signal;
  const url = toServiceUrl(path, options.query);
  let { begun } = options;
  for (let waitedMs = 0; ;) {
    const response = (await begun) ?? (await fetchOrFail(url, init));
    begun = undefined;
    if (response.ok || response.status === 304) return response;
    const error = await toApiError(response);
    const restMs = toRestMs(error);
    waitedMs += restMs;
    if (restMs === 0 || keepalive || waitedMs > patienceMs) throw error;
    await createNap().sleep(restMs, signal ?? new AbortController().signal);
    signal?.throwIfAborted();
  }
}

/** Returns 0 for no further try. Randomly spread, so that requests waiting together do not return together. */
function toRestMs({ code, retryAfterSeconds }: ApiError): number {
  return code === 'rate_limited' ? (retryAfterSeconds ?? 0) * 1000 * (1 + Math.random() / 2) : 0;
}

/**
 * Reads the JSON of a successful response. Its shape is not checked.
 * @throws ApiError
 */
export async function readAnswer<T>(response: Response): Promise<T> {
  const answer = await readJson(response);
  if (answer === null) throw new ApiError('bad_answer', { detail: String(response.status) });
  return answer as T;
}

/** @throws ApiError */
export async function requestJson<T>(path: string, options: RequestOptions = {}): Promise<T> {
  return readAnswer<T>(await request(path, options));
}

async function fetchOrFail(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ApiError('network', { detail: String(error) });
  }
}

async function readJson(response: Response): Promise<object | null> {
  try {
    const value: unknown = await response.json();
    return typeof value === 'object' ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw new ApiError('network', { detail: String(error) });
  }
}

async function toApiError(response: Response): Promise<ApiError> {
  const answer = await readJson(response);
  const fields: Readonly<Record<string, unknown>> = { ...answer };
  const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
  // A proxy in front may answer while the service is down.
  const code = text('code') || (response.status >= 500 ? 'unavailable' : 'bad_answer');
  const seconds = Number(response.headers.get('retry-after') ?? NaN);
  return new ApiError(code, {
    detail: text('message') || String(response.status),
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : null,
    requestId: text('request_id'),
  });
}
