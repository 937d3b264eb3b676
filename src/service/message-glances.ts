// Preview, code and attachment mark of messages: made from the first 64 KiB when a message is first listed, streamed or
// told to a webhook, then kept sealed. Not on the receiving path: most messages are never looked at. Used by check-mail,
// read-mail and read-log. A glance is handed out before it is kept: nobody waits for a commit to see a preview.

import { headBytes } from '../domain/limits.ts';
import type { MessageGlance } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import type { MessageParser } from '../mime/message-parser.ts';
import { openSealed, sealBytes } from '../secrets/seal.ts';
import type { MailStore, StoredMessage } from '../store/mail-store.ts';
import { openRaw } from './sealed-raw.ts';
import { createTurnstile } from './turnstile.ts';

/** Below what the parser lets wait: lists wait here, in order, instead of failing there. */
const glancesAtOnce = 64;
/** Made and on their way into the store; what is beyond is not kept and made again at the next look. */
const keptAtOnceMax = 2000;

export interface MessageGlances {
  /** Undefined when the message went meanwhile. */
  glance(session: Session, stored: StoredMessage): Promise<MessageGlance | undefined>;
  /** Somebody waits for messages, who is not to wait for a thread to start as well. Cheap. */
  expect(): void;
  /** Resolves when all that was made is kept. */
  close(): Promise<void>;
}

export interface MessageGlancesOptions {
  readonly mail: MailStore;
  readonly parser: MessageParser;
  /** Told when a glance could not be kept. */
  readonly onError: (error: unknown) => void;
}

export function createMessageGlances(options: MessageGlancesOptions): MessageGlances {
  const { mail, parser } = options;
  // Made or being made, until they are kept: two lists at once must not make the same glance twice.
  const known = new Map<string, Promise<MessageGlance | undefined>>();
  const keeping = new Set<Promise<void>>();
  const turnstile = createTurnstile(glancesAtOnce);

  async function make(session: Session, stored: StoredMessage): Promise<MessageGlance | undefined> {
    const head = await readHead(mail, session, stored.id);
    return head && parser.glance(head);
  }

  async function makeAndKeep(
    name: string,
    session: Session,
    stored: StoredMessage,
  ): Promise<MessageGlance | undefined> {
    let isKept = false;
    try {
      const glance = await turnstile.run(() => make(session, stored));
      isKept = glance !== undefined && keeping.size < keptAtOnceMax;
      if (glance && isKept) {
        const kept = keepGlance(options, session, { id: stored.id, glance }).then(() => {
          keeping.delete(kept);
          known.delete(name);
        });
        keeping.add(kept);
      }
      return glance;
    } finally {
      if (!isKept) known.delete(name);
    }
  }

  return {
    async glance(session, stored) {
      if (stored.glance) {
        return JSON.parse(openSealed(session.dataKey, 'glance', stored.glance).toString()) as MessageGlance;
      }
      const name = `${Buffer.from(session.key).toString('latin1')}${stored.id}`;
      const running = known.get(name);
      if (running) return running;
      const made = makeAndKeep(name, session, stored);
      known.set(name, made);
      return made;
    },
    expect: () => {
      parser.expectGlances();
    },
    async close() {
      await Promise.all(keeping);
    },
  };
}

/** In the background; never rejects. */
async function keepGlance(
  { mail, onError }: MessageGlancesOptions,
  session: Session,
  { id, glance }: { readonly id: number; readonly glance: MessageGlance },
): Promise<void> {
  try {
    const sealed = sealBytes(session.dataKey, 'glance', Buffer.from(JSON.stringify(glance)));
    await mail.keepGlance(session.key, id, sealed);
  } catch (error) {
    onError(error);
  }
}

/** A copy of the first bytes, fit to be handed to another thread; undefined when the message went meanwhile. */
async function readHead(mail: MailStore, session: Session, id: number): Promise<Uint8Array | undefined> {
  try {
    const first = await openRaw(mail, session, id).next();
    return new Uint8Array(first.done ? [] : first.value.subarray(0, headBytes));
  } catch (error) {
    if (await mail.findMessage(session.key, id)) throw error;
    return undefined;
  }
}
