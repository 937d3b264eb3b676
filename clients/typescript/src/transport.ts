// Sends requests to one service, retrying until they succeed or their time is up, so that a test survives a restart of
// the service or a rate limit.

import { MayflyError, MayflyUnreachable } from './errors.ts';

export type Parameters = Readonly<Record<string, string | number | boolean | undefined>>;

export interface RequestOptions {
  readonly method?: 'GET' | 'POST';
  readonly parameters?: Parameters;
  readonly token?: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of a POST, in place of parameters. */
  readonly body?: Uint8Array<ArrayBuffer> | string;
  /** Milliseconds for which the request is retried; by default the transport's own. */
  readonly patience?: number;
  /** Milliseconds for which the service may deliberately hold back the answer. */
  readonly held?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface TransportOptions {
  /** Whether MAYFLY_URL was set. */
  readonly isUrlSet: boolean;
  readonly fetchFunction: typeof fetch;
  /** Default time-out of waits in milliseconds. */
  readonly timeout: number;
  /** Default time for retries in milliseconds. */
  readonly patience: number;
}

/** Milliseconds for an answer to begin, in addition to the time it is held back. */
const answerTimeout = 15_000;
const firstPause = 50;
const longestPause = 2000;

export class Transport {
  readonly #base: string;
  /** Which service is asked, and whether MAYFLY_URL was set: one sentence for errors. */
  readonly service: string;
  readonly #fetch: typeof fetch;
  readonly #patience: number;
  readonly timeout: number;

  /** @param url of the service, with its base path if any */
  constructor(url: string, { fetchFunction, timeout, patience, isUrlSet }: TransportOptions) {
    const { protocol } = new URL(url);
    if (!/^https?:$/.test(protocol)) throw new TypeError(`Not an http or https URL: ${url}`);
    this.#base = url.replace(/\/+$/, '');
    const shown = this.#base.replace(/\/\/[^/?#@]*@/, '//');
    this.service = `The service asked is ${shown}; MAYFLY_URL is ${isUrlSet ? '' : 'not '}set.`;
    this.#fetch = fetchFunction;
    this.#patience = patience;
    this.timeout = timeout;
  }

  async json(path: string, options: RequestOptions = {}): Promise<Record<string, unknown>> {
    const read = (response: Response): Promise<unknown> => response.json();
    return (await this.#ask(path, options, read)) as Record<string, unknown>;
  }

  async bytes(path: string, options: RequestOptions = {}): Promise<Uint8Array> {
    return this.#ask(path, options, async (response) => new Uint8Array(await response.arrayBuffer()));
  }

  /**
   * Returns a successful answer with its body unread.
   * @throws MayflyError for any other answer once the time for retries is over; MayflyUnreachable
   */
  async send(path: string, options: RequestOptions = {}): Promise<Response> {
    return this.#ask(path, options, (response) => Promise.resolve(response));
  }

  async #ask<T>(path: string, options: RequestOptions, read: Read<T>): Promise<T> {
    const { patience = this.#patience, signal, method = 'GET' } = options;
    const until = Date.now() + patience;
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const tried = await this.#try(path, options, read);
      if ('answer' in tried) return tried.answer;
      const wait = tried.retryAfter ?? pause;
      // An interrupted POST may have been carried out.
      const mayAgain = tried.isRefused || (tried.isRetried && method === 'GET');
      if (!mayAgain || Date.now() + wait >= until) throw tried.error;
      await sleep(wait, signal);
    }
  }

  async #try<T>(path: string, options: RequestOptions, read: Read<T>): Promise<Answered<T> | Failed> {
    let isBegun = false;
    try {
      const response = await this.#fetchOnce(path, options);
      isBegun = true;
      if (response.ok) return { answer: await read(response) };
      if (isRedirect(response)) return toFailed(redirected(this.#base, response), response);
      return toFailed(await readError(response), response);
    } catch (error) {
      options.signal?.throwIfAborted();
      // The answer of something else than the service.
      if (error instanceof SyntaxError) throw error;
      const unreachable = new MayflyUnreachable(`No answer from ${this.#base}: ${causeOf(error)}`, {
        cause: error,
      });
      return { error: unreachable, isRefused: !isBegun && isConnectionRefused(error), isRetried: true };
    }
  }

  /** Resolves when the answer begins. */
  async #fetchOnce(path: string, options: RequestOptions): Promise<Response> {
    const { method = 'GET', parameters = {}, body, held = 0, signal } = options;
    const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, toText(value)]],
    );
    const form = new URLSearchParams(given);
    const query = method === 'GET' && given.length > 0 ? `?${form}` : '';
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort(new Error('it took too long'));
    }, held + answerTimeout);
    // Called as a plain function: a browser's fetch must not be called as a method.
    const fetchFunction = this.#fetch;
    try {
      return await fetchFunction(`${this.#base}${path}${query}`, {
        method,
        headers: toHeaders(options),
        // Another origin would be handed the token or the API key.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(method === 'POST' ? { body: body ?? form } : {}),
      });
    } finally {
      clearTimeout(timer);
    }
  }
}

type Read<T> = (response: Response) => Promise<T>;

interface Answered<T> {
  readonly answer: T;
}

interface Failed {
  readonly error: Error;
  /** Whether a later attempt may succeed. */
  readonly isRetried: boolean;
  /** The service refused the request without starting it. */
  readonly isRefused: boolean;
  /** Milliseconds. */
  readonly retryAfter?: number;
}

function toFailed(error: MayflyError, { status, headers }: Response): Failed {
  const isRefused = status === 429 || status === 503;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return {
    error,
    isRefused,
    isRetried: isRefused || status === 502 || status === 504,
    ...(seconds >= 0 ? { retryAfter: Math.max(seconds * 1000, firstPause) } : {}),
  };
}

function toText(value: string | number | boolean): string {
  return typeof value === 'boolean' ? (value ? '1' : '0') : String(value);
}

function toHeaders({ token, apiKey, headers = {} }: RequestOptions): Record<string, string> {
  return {
    ...headers,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  };
}

/** Browsers hide the answer that redirects. */
function isRedirect({ status, type }: Response): boolean {
  return type === 'opaqueredirect' || (status >= 300 && status < 400);
}

function redirected(base: string, { status, headers }: Response): MayflyError {
  const location = headers.get('location') ?? '';
  const to = URL.canParse(location, base) ? ` to ${new URL(location, base).origin}` : '';
  return new MayflyError(
    `${base} redirects${to}, which is not followed: give the address of the service itself.`,
    {
      status,
      code: 'redirected',
    },
  );
}

async function readError(response: Response): Promise<MayflyError> {
  const { status } = response;
  const text = await response.text();
  const body = parseObject(text);
  const message = typeof body['message'] === 'string' ? body['message'] : `HTTP ${status}`;
  const code = typeof body['code'] === 'string' ? body['code'] : `http_${status}`;
  const parameter = typeof body['parameter'] === 'string' ? body['parameter'] : undefined;
  const requestId = typeof body['request_id'] === 'string' ? body['request_id'] : undefined;
  return new MayflyError(message, { status, code, parameter, requestId });
}

/** Returns {} for anything but a JSON object, which comes from something in between rather than the service. */
function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}

function isConnectionRefused(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ECONNREFUSED';
}

/** Rejects with the signal's reason if it aborts before the time is up. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', abort, { once: true });
    function done(): void {
      signal?.removeEventListener('abort', abort);
      resolve();
    }
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason instanceof Error ? signal.reason : new Error('The wait was aborted.'));
    }
  });
}
