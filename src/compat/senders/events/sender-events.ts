// Posts events to the URLs that the operator configured. They wait in memory, within bounds, and are tried again for a
// minute: an event reports a mail that is stored already, so losing one loses no mail.

import { setTimeout as sleep } from 'node:timers/promises';

import type { SafeFetch } from '#networks/safe-fetch';
import { SafeFetchError } from '#networks/safe-fetch-error';
import type { Logger } from '#telemetry/logger';
import { createEventKeys, publicKeyText } from './event-keys.ts';
import { eventFormats } from '#senders/event-formats';
import type { EventRequest, SentMail } from '#senders/sent-mail';

export interface SenderEvents {
  /** Call once the mails are durable. `origin`: the client's address of this listener. */
  note(service: string, mails: readonly SentMail[], origin: string): void;
  /** SendGrid's public key, in its form. */
  readonly publicKey: string;
  /** The certificate of SNS's key. */
  certificate(): Promise<string>;
  /** Gives up what waits. */
  close(): Promise<void>;
}

export interface EventTarget {
  readonly url: string;
  /** For Basic credentials; undefined without any. */
  readonly authorization: string | undefined;
  readonly fetch: SafeFetch;
}

export interface SenderEventsOptions {
  /** By service. */
  readonly targets: ReadonlyMap<string, EventTarget>;
  readonly secret: string;
  readonly log: Logger;
  /** Between tries. */
  readonly delaysMs?: readonly number[];
}

const defaultDelaysMs = [1000, 5000, 15_000, 40_000];
/** Calls whose events wait or are being sent. */
const waitingMax = 1000;

export function createSenderEvents(options: SenderEventsOptions): SenderEvents {
  const { targets, secret, log, delaysMs = defaultDelaysMs } = options;
  const keys = createEventKeys(secret);
  const closing = new AbortController();
  const underWay = new Set<Promise<void>>();

  async function sendOne(service: string, target: EventTarget, request: EventRequest): Promise<void> {
    for (const delayMs of [...delaysMs, undefined]) {
      const reason = await post(target, request, closing.signal);
      if (reason === 'done' || closing.signal.aborted) return;
      if (delayMs === undefined) log.info('sender_event.given_up', { service, reason });
      else await sleep(delayMs, undefined, { ref: false });
    }
  }

  async function sendAll(service: string, mails: readonly SentMail[], origin: string): Promise<void> {
    const target = targets.get(service);
    const format = eventFormats[service];
    if (!target || !format) return;
    for (const mail of mails) {
      for (const request of await format(mail, keys, origin)) await sendOne(service, target, request);
    }
  }

  return {
    note(service, mails, origin) {
      if (!targets.has(service) || closing.signal.aborted) return;
      if (underWay.size >= waitingMax) {
        log.info('sender_event.given_up', { service, reason: 'too many wait' });
        return;
      }
      const sending: Promise<void> = sendAll(service, mails, origin)
        .catch((error: unknown) => {
          log.error('sender_event.failed', { service, error });
        })
        .finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    publicKey: publicKeyText(keys),
    certificate: async () => (await keys.rsa()).certificatePem,
    async close() {
      closing.abort();
      await Promise.race([Promise.all(underWay), sleep(1000, undefined, { ref: false })]);
    },
  };
}

/** Resolves with `done`, or why it was not. */
async function post(
  { url, authorization, fetch }: EventTarget,
  { headers, body }: EventRequest,
  signal: AbortSignal,
): Promise<string> {
  const credentials = authorization === undefined ? {} : { authorization };
  try {
    const request = { url, method: 'POST', read: 'status', body, signal } as const;
    const { status } = await fetch({ ...request, headers: { ...headers, ...credentials } });
    return status >= 200 && status < 300 ? 'done' : `answered ${status}`;
  } catch (error) {
    if (error instanceof SafeFetchError) return error.failure;
    throw error;
  }
}
