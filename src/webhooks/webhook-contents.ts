// Makes what webhooks say of a new message while its bytes are in hand, since nothing stored can be opened for them
// later, and keeps it with their rows, sealed under a key of the server's. A crash before that loses the content, not
// the event. Bounded in memory, per event and in total. Called after each commit, and by deliver-webhook.

import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from '#telemetry/logger';
import { MayflyError, unavailable } from '../domain/mayfly-error.ts';
import { type Session, type SessionKey, toKeyText } from '../domain/session.ts';
import { FairLane } from '#networks/fair-lane';
import { sealBytes, tryOpenSealed } from '#sealing/seal';
import { deriveServerKey } from '#sealing/server-key';
import type { FreshMail } from '../service/mail/fresh-mail.ts';
import { ownHead } from '../service/mail/heads-in-hand.ts';
import type { Delivered } from '../service/receiving/deliver-to-sessions.ts';
import { turnOwner } from '../service/session/turn-owner.ts';
import {
  type DueWebhook,
  type JobsStore,
  type KeptContent,
  operatorEndpointId,
} from '../store/jobs-store.ts';
import { ContentKeeper } from '#notifications/content-keeper';

/** Members of an event's `data` that show its message. */
export type MessageContent =
  | { readonly message: object }
  /** The operator configured whole messages, and this one is too long. */
  | { readonly message: object; readonly content: 'summary' };

export interface WebhookContentsOptions {
  readonly jobs: Pick<JobsStore, 'listSubscribers' | 'keepContents' | 'countContentBytes'>;
  readonly serves: { readonly operator: boolean; readonly sessions: boolean };
  readonly serverKey: Uint8Array;
  /** The store's clock, ms since 1970. */
  readonly now: () => number;
  /** How long after its event content may come from elsewhere. */
  readonly patienceMs: number;
  /** Whether any endpoint is sent whole messages. */
  readonly hasFull: boolean;
  /** Reports whether this one is; `sealed` is null for the operator's. */
  readonly takesFull: (key: SessionKey, sealed: Uint8Array | null) => boolean;
  /** `fresh.head` may be empty: then without preview and code. */
  readonly summarise: (session: Session, fresh: FreshMail) => Promise<object>;
  readonly showFull: (session: Session, fresh: FreshMail) => Promise<object>;
  readonly log: Logger;
}

export interface WebhookContents {
  /** Call for each stored message while its bytes are in hand. Cheap, and never throws. */
  note(session: Session, delivered: Delivered): void;
  /** Resolves with undefined when there is none, or it cannot be opened; with `soon` while it may still come. */
  find(due: DueWebhook): Promise<MessageContent | 'soon' | undefined>;
  /** Accepts no more; resolves when what was accepted is kept. */
  close(): Promise<void>;
}

/** Bytes of messages in hand; those beyond are summarised without their preview and code. */
const handBytesMax = 16 * 1024 * 1024;
/** A longer whole message is sent as a summary. */
const fullMaxBytes = 256 * 1024;
const lane = { atOnce: 32, perSession: 16, perNetwork: 24, perSite: 28, waitingMax: 20_000 } as const;
/** How long a try, which has an endpoint's place, waits for the content. */
const waitMs = 3000;

const noBytes = new Uint8Array(0);

/** By endpoint. */
type Made = ReadonlyMap<number, MessageContent>;

/** For a node without settings for webhooks, which only removes the rows that are left over. */
export const noContents: Pick<WebhookContents, 'find'> = { find: () => Promise.resolve(undefined) };

export function createWebhookContents(options: WebhookContentsOptions): WebhookContents {
  return new Contents(options);
}

class Contents implements WebhookContents {
  readonly #options: WebhookContentsOptions;
  readonly #keeper: ContentKeeper<KeptContent>;
  readonly #lane = new FairLane({ ...lane, refuse: unavailable });
  /** By session and message, until it is kept. */
  readonly #making = new Map<string, Promise<Made>>();
  #handBytes = 0;
  #isClosed = false;

  constructor(options: WebhookContentsOptions) {
    this.#options = options;
    this.#keeper = new ContentKeeper(options.jobs, options.log);
  }

  note(session: Session, delivered: Delivered): void {
    const { serves, log } = this.#options;
    if (this.#isClosed || (!serves.operator && !serves.sessions)) return;
    const fresh = this.#take(session.key, delivered);
    const name = nameOf(session.key, delivered.id);
    const making = this.#make(session, fresh)
      .catch((error: unknown) => {
        if (!(error instanceof MayflyError)) throw error;
        // Too many wait to be read.
        return this.#make(session, { ...fresh, head: noBytes, isWhole: false });
      })
      .catch((error: unknown): Made => {
        log.error('webhook.content_not_made', { error });
        return new Map();
      });
    this.#making.set(name, making);
    void making
      .then((made) => {
        this.#handBytes -= fresh.head.length;
        return this.#keep(session.key, delivered.id, made);
      })
      .finally(() => this.#making.delete(name));
  }

  async find({
    key,
    messageId,
    endpointId,
    content,
    at,
  }: DueWebhook): Promise<MessageContent | 'soon' | undefined> {
    if (messageId === null) return undefined;
    if (content) {
      const opened = tryOpenSealed(this.#keyOf(key), 'webhook content', content);
      if (!opened) this.#options.log.error('webhook.content_unreadable', { endpoint: endpointId });
      return opened && (JSON.parse(opened.toString()) as MessageContent);
    }
    const making = this.#making.get(nameOf(key, messageId));
    const { now, patienceMs } = this.#options;
    if (!making) return now() - at < patienceMs ? 'soon' : undefined;
    const waited = new AbortController();
    const timeout = delay(waitMs, 'soon' as const, { signal: waited.signal, ref: false });
    try {
      const found = await Promise.race([making, timeout]);
      return found === 'soon' ? found : found.get(endpointId);
    } finally {
      waited.abort();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#making.values());
    await this.#keeper.close();
  }

  /** Copies what is needed later, within the bound. */
  #take(key: SessionKey, { id, raw, receivedAt, meta }: Delivered): FreshMail {
    const { sizeBytes } = raw;
    const common = { key, id, sizeBytes, receivedAt, meta };
    const first = raw.head();
    const isWanted = this.#options.hasFull && sizeBytes <= fullMaxBytes;
    const bytes = isWanted ? sizeBytes : first.length;
    if (this.#handBytes + bytes > handBytesMax) return { ...common, head: noBytes, isWhole: false };
    const head = bytes <= first.length ? ownHead(first) : Buffer.concat([...raw.pieces()]);
    this.#handBytes += head.length;
    return { ...common, head, isWhole: head.length === sizeBytes };
  }

  /** @throws MayflyError unavailable */
  async #make(session: Session, fresh: FreshMail): Promise<Made> {
    const endpoints = await this.#listEndpoints(session.key);
    if (endpoints.length === 0) return new Map();
    if (fresh.head.length === 0) {
      const summary = { message: await this.#options.summarise(session, fresh) };
      return new Map(endpoints.map(({ endpointId }) => [endpointId, summary]));
    }
    return this.#lane.run(turnOwner(session), async () => {
      const { summarise, takesFull } = this.#options;
      const full = endpoints.some(({ sealed }) => takesFull(session.key, sealed))
        ? await this.#makeFull(session, fresh)
        : undefined;
      const summary = { message: await summarise(session, fresh) };
      return new Map(
        endpoints.map(({ endpointId, sealed }) => {
          if (!takesFull(session.key, sealed)) return [endpointId, summary];
          return [endpointId, full ?? { ...summary, content: 'summary' as const }];
        }),
      );
    });
  }

  async #makeFull(session: Session, fresh: FreshMail): Promise<MessageContent | undefined> {
    if (!fresh.isWhole) return undefined;
    const full = { message: await this.#options.showFull(session, fresh) };
    return Buffer.byteLength(JSON.stringify(full)) <= fullMaxBytes ? full : undefined;
  }

  async #listEndpoints(
    key: SessionKey,
  ): Promise<readonly { readonly endpointId: number; readonly sealed: Uint8Array | null }[]> {
    const { serves, jobs } = this.#options;
    const own = serves.operator ? [{ endpointId: operatorEndpointId, sealed: null }] : [];
    return serves.sessions ? [...own, ...(await jobs.listSubscribers(key))] : own;
  }

  async #keep(key: SessionKey, messageId: number, made: Made): Promise<void> {
    const sealingKey = this.#keyOf(key);
    const contents = [...made].map(([endpointId, content]) => {
      const sealed = sealBytes(sealingKey, 'webhook content', Buffer.from(JSON.stringify(content)));
      return { key, messageId, endpointId, content: sealed };
    });
    await this.#keeper.keep(contents);
  }

  #keyOf(key: SessionKey): Buffer {
    return deriveServerKey(this.#options.serverKey, 'webhook content', key);
  }
}

function nameOf(key: SessionKey, messageId: number): string {
  return `${toKeyText(key)}${messageId}`;
}
