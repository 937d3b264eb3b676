// Preview, code and attachment mark of messages: made from the first 64 KiB when a message is first listed, then
// kept sealed. Not on the receiving path: most messages are never looked at. Used by check-mail and read-mail.

import { headBytes } from '../domain/limits.ts';
import type { MessageGlance } from '../domain/message.ts';
import type { Session } from '../domain/session.ts';
import type { MessageParser } from '../mime/message-parser.ts';
import { openSealed, sealBytes } from '../secrets/seal.ts';
import type { MailStore, StoredMessage } from '../store/mail-store.ts';
import { openRaw } from './sealed-raw.ts';
import { createTurnstile } from './turnstile.ts';

/** Below what the parser lets wait: lists wait here, in order, instead of failing there. */
const glancesAtOnce = 16;

export interface MessageGlances {
  /** Undefined when the message went meanwhile. */
  glance(session: Session, stored: StoredMessage): Promise<MessageGlance | undefined>;
}

/** @param onFirst told of each message when its glance is made: somebody looks at it for the first time */
export function createMessageGlances(
  mail: MailStore,
  parser: MessageParser,
  onFirst: (session: Session, stored: StoredMessage) => void = () => undefined,
): MessageGlances {
  // Two lists at once must not make the same glance twice.
  const inFlight = new Map<string, Promise<MessageGlance | undefined>>();
  const turnstile = createTurnstile(glancesAtOnce);

  async function make(session: Session, stored: StoredMessage): Promise<MessageGlance | undefined> {
    const head = await readHead(mail, session, stored.id);
    if (!head) return undefined;
    const glance = await parser.glance(head);
    const sealed = sealBytes(session.dataKey, 'glance', Buffer.from(JSON.stringify(glance)));
    await mail.keepGlance(session.key, stored.id, sealed);
    onFirst(session, stored);
    return glance;
  }

  return {
    async glance(session, stored) {
      if (stored.glance) {
        return JSON.parse(openSealed(session.dataKey, 'glance', stored.glance).toString()) as MessageGlance;
      }
      const id = `${Buffer.from(session.key).toString('hex')}:${stored.id}`;
      const running = inFlight.get(id);
      if (running) return running;
      const made = turnstile.run(() => make(session, stored)).finally(() => inFlight.delete(id));
      inFlight.set(id, made);
      return made;
    },
  };
}

/** A copy of the first bytes, fit to be handed to another thread; undefined when the message went meanwhile. */
async function readHead(mail: MailStore, session: Session, id: number): Promise<Uint8Array | undefined> {
  if (!(await mail.findMessage(session.key, id))) {
    return undefined;
  }
  const first = await openRaw(mail, session, id).next();
  return new Uint8Array(first.done ? [] : first.value.subarray(0, headBytes));
}
