// The facts about a mail that events report, in the terms that all services share, and the request that carries one.

import type { KeyObject } from 'node:crypto';

/** A stored mail of a call. */
export interface SentMail {
  /** As the service answered it. */
  readonly id: string;
  /** Without angle brackets. */
  readonly messageId: string;
  readonly from: string;
  readonly to: readonly string[];
  readonly rcptTo: readonly string[];
  readonly subject: string;
  /** The rest of the call, by the service's own names. */
  readonly shown: Readonly<Record<string, unknown>>;
  /** When it was stored, ms since 1970. */
  readonly at: number;
}

export interface EventRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** For signing events. */
export interface EventKeys {
  /** The operator's secret as it is configured, `whsec_…`. */
  readonly secret: string;
  /** P-256, derived from the secret. */
  readonly ecKey: KeyObject;
  readonly rsa: () => Promise<{ readonly privateKey: KeyObject; readonly certificatePem: string }>;
}

/** Makes the requests for a mail that was accepted and delivered, in order. */
export type ToEvents = (
  mail: SentMail,
  keys: EventKeys,
  origin: string,
) => readonly EventRequest[] | Promise<readonly EventRequest[]>;
