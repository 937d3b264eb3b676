// One caller: an API key, or none, and its open inboxes. Tokens stay in this file: it only gives out handles, and
// inboxes of mayfly-client for the duration of a call.

import { type CreateInboxOptions, type Inbox, Mayfly } from 'mayfly-client';

import { HandleSealer } from './handles.ts';
import { Refusal, toRefusal } from './refusal.ts';

const inboxesMax = 10;
const callsMax = 20;

export interface Service {
  readonly url: string;
  readonly secret: Uint8Array;
}

export interface OpenInbox {
  readonly inbox: Inbox;
  /** Ids of the messages whose code or link has already been returned. */
  readonly given: Readonly<Record<'code' | 'link', Set<number>>>;
}

interface Place {
  /** Milliseconds since 1970; Infinity during creation. */
  endsAt: number;
  readonly given: OpenInbox['given'];
}

export class Caller {
  readonly #mayfly: Mayfly;
  readonly #sealer: HandleSealer;
  /** By token; an inbox in creation has a temporary key. */
  readonly #places = new Map<string | symbol, Place>();
  #calls = 0;

  constructor({ url, secret }: Service, apiKey: string | undefined) {
    // main.ts has removed the key from the environment, so without one the client uses none.
    this.#mayfly = new Mayfly({ url, ...(apiKey === undefined ? {} : { apiKey }) });
    this.#sealer = new HandleSealer({ secret, url, apiKey });
  }

  /** Whether forgetting it would lose nothing. */
  get isIdle(): boolean {
    this.#dropExpired();
    return this.#calls === 0 && this.#places.size === 0;
  }

  /** Counts the call while it runs. @throws Refusal */
  async run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#calls >= callsMax) throw new Refusal('too_many_calls');
    this.#calls++;
    try {
      return await call();
    } catch (error) {
      throw toRefusal(error);
    } finally {
      this.#calls--;
    }
  }

  /** Reserves the place first, so that concurrent calls cannot exceed the limit together. */
  async create(
    options: CreateInboxOptions,
    signal: AbortSignal,
  ): Promise<{ readonly handle: string; readonly inbox: Inbox }> {
    this.#dropExpired();
    if (this.#places.size >= inboxesMax) throw new Refusal('too_many_inboxes');
    const name = Symbol('being made');
    this.#places.set(name, newPlace(Infinity));
    try {
      const inbox = await this.#mayfly.createInbox(options);
      if (signal.aborted) {
        // Otherwise no handle would be left to end it.
        await inbox.end();
        throw new Refusal('cancelled');
      }
      const handle = this.#sealer.seal(inbox.token);
      this.#places.set(inbox.token, newPlace(inbox.expiresAt.getTime()));
      return { handle, inbox };
    } finally {
      this.#places.delete(name);
    }
  }

  /**
   * Opens an inbox, checking with the service that it still exists.
   * @throws Refusal unknown_handle, inbox_ended
   */
  async open(handle: string): Promise<OpenInbox> {
    const token = this.#sealer.open(handle);
    try {
      const inbox = await this.#mayfly.reopen(token);
      const place = this.#places.get(token) ?? newPlace(0);
      place.endsAt = inbox.expiresAt.getTime();
      // An inbox opened after a restart takes a place even if none is left: it exists already.
      this.#places.set(token, place);
      return { inbox, given: place.given };
    } catch (error) {
      const refusal = toRefusal(error);
      if (refusal.code === 'inbox_ended') this.#places.delete(token);
      throw refusal;
    }
  }

  async end(handle: string): Promise<void> {
    const token = this.#sealer.open(handle);
    const { inbox } = await this.open(handle);
    await inbox.end();
    this.#places.delete(token);
  }

  #dropExpired(): void {
    for (const [token, { endsAt }] of this.#places) {
      if (endsAt <= Date.now()) this.#places.delete(token);
    }
  }
}

function newPlace(endsAt: number): Place {
  return { endsAt, given: { code: new Set(), link: new Set() } };
}
