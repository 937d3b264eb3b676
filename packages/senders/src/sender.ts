// A sender is a service that applications send mail through by HTTP. Each has a folder here that declares its calls, how
// it names an inbox, and how it words answers and errors.

import type { Answer } from '../../http-parts/src/answer.ts';
import { readBearer } from '../../http-parts/src/bearer.ts';
import type { ComposedMessage } from './compose.ts';
import type { Refusal } from './refusal.ts';

/** Header fields of a request; names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One message of a call: stored, or refused alone. */
export type SentItem = Pick<ComposedMessage, 'id' | 'messageId' | 'mailFrom' | 'rcptTo' | 'facts'> | Refusal;

export interface SentCall {
  /** In the order of the call. */
  readonly items: readonly SentItem[];
  readonly notes: Readonly<Record<string, string>>;
}

export interface SenderCall {
  readonly endpoint: `POST /${string}`;
  readonly summary: string;
  readonly bodyMaxBytes: number;
  /** The name of what reads its body, in readers.ts. */
  readonly reader: string;
  /** Header fields, in lower case, that the reader needs. */
  readonly takes?: readonly string[];
  /** For a call that the service carries out once for a key. */
  readonly once?: OncePolicy;
  /** The answer once all messages are durable. */
  readonly toAnswer: (sent: SentCall) => Answer;
}

interface OncePolicy {
  /** How long the service remembers a key. */
  readonly lifetimeMs: number;
  /** For a key that was used for another call. */
  readonly otherPayload: Refusal;
  /** For a call that was carried out before; when absent it is answered as the first time. */
  readonly repeat?: Refusal;
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Sender {
  /** In lower case; also the path below which it is served besides the root. */
  readonly name: string;
  /** Reports whether an unknown path at the root is answered in this service's form. */
  owns(path: string): boolean;
  readonly calls: readonly SenderCall[];
  /** Returns the API key as it was sent; undefined where it is none of this service's. */
  readonly readKey: (headers: Headers) => string | undefined;
  /** Before the token in a key. */
  readonly keyPrefix: RegExp;
  /** The service's own refusal with this status. Without a message, in the service's words. */
  readonly toRefusal: (status: number, message?: string) => Refusal;
  /** Writes a refusal in the form of the path that was called. */
  toErrorAnswer(refusal: Refusal, path: string): ErrorAnswer;
}

/** The key in `Authorization: Bearer`. */
export function readBearerKey({ authorization }: Headers): string | undefined {
  return readBearer(authorization?.toString());
}
