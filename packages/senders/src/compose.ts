// Turns the body of a call into messages, by the reader of its dialect. Pure; runs in a thread unless the body is small,
// since validating and encoding 12 MB takes a second.

import { MalformedBodyError } from '../../http-parts/src/body.ts';
import { buildBody, buildHeader, toLine } from './composing/build-message.ts';
import type { HeaderField, MessageContent, MessageHeader } from './composing/message.ts';
import { FailedCallError, type FailureCode, type Refusal, RefusedError } from './refusal.ts';

/** A call, in the form that passes between threads. */
export interface ComposeCall {
  /** The name of what reads the body, in readers.ts. */
  readonly reader: string;
  readonly body: Uint8Array;
  readonly contentType: string;
  /** Parameters of the path and header fields that belong to the call. */
  readonly given: Readonly<Record<string, string>>;
}

interface Outline {
  /** As the dialect answers it. */
  readonly id: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly mailFrom: string | null;
  /** Those of the header, and those that only the envelope has. */
  readonly rcptTo: readonly string[];
  /** For the answer. */
  readonly facts?: Readonly<Record<string, string>> | undefined;
  /** For events. */
  readonly about?: MessageAbout | undefined;
}

export interface MessageAbout {
  readonly from: string;
  readonly to: readonly string[];
  readonly subject: string;
  /** Besides the mail, by the names of the service. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** A message that a reader has read, to be built. */
export interface ReadMessage extends Outline {
  readonly header: MessageHeader;
  /** The same object for messages that share it. */
  readonly content: MessageContent;
}

/** A message that came complete. */
export interface WholeMessage extends Outline {
  readonly raw: Buffer;
  /** Written before its own. */
  readonly fields: readonly HeaderField[];
}

export type ReadItem = ReadMessage | WholeMessage | Refusal;

export interface Reading {
  /** In the order of the call. Where each message of a call has a result of its own, it may be refused alone. */
  readonly items: readonly ReadItem[];
  /** For the answer. */
  readonly notes?: Readonly<Record<string, string>>;
  /** Set where the caller wants the call carried out once. */
  readonly once?: OnceKey | undefined;
}

export interface OnceKey {
  readonly key: string;
  /** Identifies the content of the call. */
  readonly payload: string;
}

/** @throws RefusedError, FailedCallError, MalformedBodyError when the whole call is refused */
export type ReadCall = (call: ComposeCall & { readonly body: Buffer }) => Reading;

export interface ComposedMessage extends Outline {
  readonly head: Uint8Array<ArrayBuffer>;
  /** The place of the rest in `bodies`. */
  readonly body: number;
}

export type ComposedItem = ComposedMessage | Refusal;

/** Composed messages, or why there are none, in the form that passes between threads. */
export type Composition =
  | {
      readonly kind: 'composed';
      readonly items: readonly ComposedItem[];
      /** Each in a buffer of its own. */
      readonly bodies: readonly Uint8Array<ArrayBuffer>[];
      readonly notes: Readonly<Record<string, string>>;
      readonly once: OnceKey | undefined;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** For a reason that every dialect knows, such as a body that does not parse. */
  | { readonly kind: 'failed'; readonly code: FailureCode; readonly reason: string };

export function isRefusal<T extends object>(item: T | Refusal): item is Refusal {
  return 'status' in item;
}

export function isComposed(item: ComposedItem): item is ComposedMessage {
  return !isRefusal(item);
}

export function compose(read: ReadCall, call: ComposeCall): Composition {
  const { buffer, byteOffset, length } = call.body;
  try {
    const { items, notes = {}, once } = read({ ...call, body: Buffer.from(buffer, byteOffset, length) });
    return { kind: 'composed', ...build(items), notes, once };
  } catch (error) {
    if (error instanceof RefusedError) return { kind: 'refused', refusal: error.refusal };
    if (!(error instanceof FailedCallError || error instanceof MalformedBodyError)) throw error;
    return { kind: 'failed', code: error.code, reason: error.message };
  }
}

/** For all bodies of a call: many messages may each have the files of one. */
const bodiesMaxBytes = 96 * 1024 * 1024;

/** Builds each content once, however many messages share it. @throws FailedCallError body_too_large */
function build(items: readonly ReadItem[]) {
  const places = new Map<MessageContent | Buffer, number>();
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  let built = 0;

  function place(content: MessageContent | Buffer): number {
    const known = places.get(content) ?? bodies.length;
    if (known === bodies.length) {
      const body = Buffer.isBuffer(content) ? content : buildBody(content);
      built += body.length;
      if (built > bodiesMaxBytes) {
        throw new FailedCallError('body_too_large', 'The messages of this call are too large together.');
      }
      bodies.push(new Uint8Array(body));
      places.set(content, known);
    }
    return known;
  }

  const composed = items.map((item): ComposedItem => {
    if (isRefusal(item)) return item;
    const { id, messageId, mailFrom, rcptTo, facts, about } = item;
    const isWhole = 'raw' in item;
    const head = isWhole
      ? item.fields.map((field) => `${toLine(field)}\r\n`).join('')
      : buildHeader(item.header, messageId);
    return {
      id,
      messageId,
      mailFrom,
      rcptTo,
      facts,
      about,
      head: new Uint8Array(Buffer.from(head)),
      body: place(isWhole ? item.raw : item.content),
    };
  });
  return { items: composed, bodies };
}
