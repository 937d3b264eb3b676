// Makes glances: preview, code and attachment mark of messages, from the first 64 KiB if these show it all and else
// from the whole, when a message is first listed or streamed; then stores them sealed. Before that only from bytes that
// were just received (early-glances, webhooks), never from stored mail. This is not on the receiving path, because most
// messages are never read. When a reader waits for a message, its glance is started during the commit so that the
// reader is notified without delay. A glance is returned before it is stored.

import type { TurnOwner } from '#networks/fair-queue';
import { headBytes } from '../../domain/limits.ts';
import { MayflyError, unavailable } from '../../domain/mayfly-error.ts';
import type { MessageGlance } from '../../domain/message.ts';
import { type Session, toKeyText } from '../../domain/session.ts';
import type { MessageParser } from '#mail-threads/message-parser';
import { sealer } from '#sealing/sealer';
import type { StoredMessage } from '../../store/mail-store.ts';
import { FairLane } from '#networks/fair-lane';
import { readHead } from '../session/sealed-raw.ts';
import { turnOwner } from '../session/turn-owner.ts';
import type { HeadsInHand, HeldHead } from './heads-in-hand.ts';
import { type WholeRawDeps, withWholeRaw } from './whole-raw.ts';
import type { OpenSession } from '../session/session-access.ts';

/**
 * Below the parser's own limits, so that lists wait here instead of failing there. The share of a session is large,
 * because a list is long and belongs to one session.
 */
const lane = { atOnce: 64, perSession: 32, perNetwork: 48, perSite: 56, waitingMax: 50_000 } as const;
/** The most glances started before their messages are stored; others are made on demand. */
const begunAtOnceMax = 64;
/** The most glances waiting to be stored; beyond that they are not stored, and are made again when next needed. */
const keptAtOnceMax = 2000;

export interface MessageGlances {
  /** Resolves with undefined if the message has been deleted meanwhile. */
  glance(session: OpenSession, stored: StoredMessage): Promise<MessageGlance | undefined>;
  /**
   * Starts the glance of a message that is about to be stored and that a reader waits for. Call the returned function
   * at once with where it was stored, if it was. Undefined when enough are in progress.
   */
  begin(head: Uint8Array, owner: TurnOwner): ((session: Session, id: number) => void) | undefined;
  /**
   * Makes and stores the glance of a message that was just stored, from what is in hand of it. Where that does not show
   * all, the glance is partial and the first list makes it again. @throws MayflyError unavailable
   */
  ahead(session: Session, held: HeldHead): Promise<MessageGlance>;
  /** Resolves with what is stored or in progress; makes none. */
  find(session: OpenSession, stored: StoredMessage): Promise<MessageGlance | undefined>;
  /** Stores the glance of a message that was read in full. */
  record(session: Session, id: number, glance: MessageGlance): void;
  /** Replaces a glance made before the whole message was read. Resolves when stored. */
  replace(session: Session, id: number, glance: MessageGlance): Promise<void>;
  /** Resolves when all glances made so far are stored. */
  close(): Promise<void>;
}

interface MadeGlance {
  readonly id: number;
  readonly glance: MessageGlance;
}

export interface MessageGlancesOptions extends WholeRawDeps {
  readonly parser: MessageParser;
  /** Heads of new messages, which need not be read back. */
  readonly heads?: HeadsInHand | undefined;
  /** Called when a glance could not be stored. */
  readonly onError: (error: unknown) => void;
}

export function createMessageGlances(options: MessageGlancesOptions): MessageGlances {
  return new Glances(options);
}

class Glances implements MessageGlances {
  readonly #options: MessageGlancesOptions;
  // Glances being made or stored: two lists at once must not make the same one twice.
  readonly #known = new Map<string, Promise<MessageGlance | undefined>>();
  /** The same for those started before their messages were stored; resolve with undefined on failure, never reject. */
  readonly #begun = new Map<string, Promise<MessageGlance | undefined>>();
  /** By name: keeps a later version from being overtaken by an earlier one. */
  readonly #keeping = new Map<string, Promise<void>>();
  readonly #lane = new FairLane({ ...lane, refuse: unavailable });
  #beginning = 0;

  constructor(options: MessageGlancesOptions) {
    this.#options = options;
  }

  async find(session: OpenSession, stored: StoredMessage): Promise<MessageGlance | undefined> {
    if (stored.glance) {
      return JSON.parse(session.reading.open('glance', stored.glance).toString()) as MessageGlance;
    }
    const name = nameOf(session, stored.id);
    const begun = this.#begun.has(name) ? await this.#begun.get(name) : undefined;
    return isLasting(begun) ? begun : this.#known.get(name);
  }

  async glance(session: OpenSession, stored: StoredMessage): Promise<MessageGlance | undefined> {
    const found = await this.find(session, stored);
    if (found) return found;
    const name = nameOf(session, stored.id);
    const running = this.#known.get(name);
    if (running) return running;
    const made = this.#makeAndKeep(name, session, stored);
    this.#known.set(name, made);
    return made;
  }

  begin(head: Uint8Array, owner: TurnOwner): ((session: Session, id: number) => void) | undefined {
    if (this.#beginning >= begunAtOnceMax) return undefined;
    this.#beginning += 1;
    const settle = (glance?: MessageGlance): MessageGlance | undefined => {
      this.#beginning -= 1;
      return glance;
    };
    // On failure it is made again on demand, and that reader gets the error.
    const begun = this.#options.parser.glance(head, owner).then(
      ({ isCut = false, ...glance }) => settle(isCut ? undefined : glance),
      () => settle(),
    );
    return (session, id) => {
      this.#recordBegun(session, id, begun);
    };
  }

  async ahead(session: Session, { id, head, isWhole }: HeldHead): Promise<MessageGlance> {
    const name = nameOf(session, id);
    this.#options.heads?.take(session.key, id);
    const begun = await (this.#begun.get(name) ?? this.#known.get(name));
    if (isLasting(begun)) return begun;
    const made = this.#options.parser
      .glance(head, turnOwner(session))
      .then(({ isCut = false, ...glance }) => (isCut && !isWhole ? toPartial(glance) : glance));
    // The caller gets the error; a list makes the glance again.
    const unlessFailed = made.then(
      (glance) => glance,
      () => undefined,
    );
    this.#recordBegun(session, id, unlessFailed);
    return made;
  }

  #recordBegun(session: Session, id: number, begun: Promise<MessageGlance | undefined>): void {
    const name = nameOf(session, id);
    if (this.#known.has(name)) return;
    this.#begun.set(name, begun);
    const drop = (): void => {
      if (this.#begun.get(name) === begun) this.#begun.delete(name);
    };
    void begun.then((glance) => {
      if (!isLasting(glance) || !this.#keep(session, { id, glance }, drop)) drop();
    });
  }

  record(session: Session, id: number, glance: MessageGlance): void {
    this.#options.heads?.take(session.key, id);
    this.#recordBegun(session, id, Promise.resolve(glance));
  }

  async replace(session: Session, id: number, glance: MessageGlance): Promise<void> {
    const name = nameOf(session, id);
    await this.#keeping.get(name);
    this.#known.delete(name);
    this.#begun.delete(name);
    await keepGlance(this.#options, session, { id, glance });
  }

  async close(): Promise<void> {
    await Promise.all(this.#keeping.values());
  }

  async #makeAndKeep(
    name: string,
    session: OpenSession,
    stored: StoredMessage,
  ): Promise<MessageGlance | undefined> {
    const { id } = stored;
    let isKept = false;
    try {
      const glance = await this.#lane.run(turnOwner(session), () => this.#make(session, stored));
      isKept =
        isLasting(glance) &&
        this.#keep(session, { id, glance }, () => {
          this.#known.delete(name);
        });
      return glance;
    } finally {
      if (!isKept) this.#known.delete(name);
    }
  }

  async #make(session: OpenSession, stored: StoredMessage): Promise<MessageGlance | undefined> {
    const { mail, parser, heads } = this.#options;
    const head =
      heads?.take(session.key, stored.id)?.head ??
      (await readHead(mail, session, { id: stored.id, bytesMax: headBytes }));
    if (!head) return undefined;
    const isWhole = stored.sizeBytes <= head.length;
    const { isCut = false, ...glance } = await parser.glance(head, turnOwner(session));
    return isCut && !isWhole ? this.#readOn(session, stored, glance) : glance;
  }

  /** Reads the whole message for what its first bytes lack: a list must not deny what was not looked for. */
  async #readOn(
    session: OpenSession,
    stored: StoredMessage,
    glance: MessageGlance,
  ): Promise<MessageGlance | undefined> {
    const { parser } = this.#options;
    const { isProvisional: _, ...partial } = toPartial(glance);
    try {
      const facts = await withWholeRaw(this.#options, { session, stored }, (raw) =>
        parser.examine(raw, { owner: turnOwner(session), parts: [] }),
      );
      // One that takes too long is not tried again by each list; a reader's success replaces the glance.
      return facts?.glance ?? partial;
    } catch (error) {
      if (!(error instanceof MayflyError)) throw error;
      if (error.code === 'message_not_found') return undefined;
      return { ...partial, isProvisional: true };
    }
  }

  /** Stores in the background; returns false when too many are waiting. */
  #keep(session: Session, made: MadeGlance, onKept: () => void): boolean {
    if (this.#keeping.size >= keptAtOnceMax) return false;
    const name = nameOf(session, made.id);
    const kept = keepGlance(this.#options, session, made).then(() => {
      this.#keeping.delete(name);
      onKept();
    });
    this.#keeping.set(name, kept);
    return true;
  }
}

/** Returns a glance that is not stored: the rest of the message has not been looked at. */
function toPartial(glance: MessageGlance): MessageGlance {
  const hasAttachments = glance.hasAttachments || null;
  return { ...glance, hasAttachments, isPartial: true, isProvisional: true };
}

function isLasting(glance: MessageGlance | undefined): glance is MessageGlance {
  return glance !== undefined && glance.isProvisional !== true;
}

function nameOf({ key }: Session, id: number): string {
  return `${toKeyText(key)}${id}`;
}

/** Runs in the background; never rejects. */
async function keepGlance(
  { mail, onError }: MessageGlancesOptions,
  session: Session,
  { id, glance }: MadeGlance,
): Promise<void> {
  try {
    const sealed = sealer.seal(session, 'glance', Buffer.from(JSON.stringify(glance)));
    await mail.keepGlance(session.key, id, sealed);
  } catch (error) {
    onError(error);
  }
}
