// An address and its mail, until it ends.

import { MayflyError } from './errors.ts';
import { type EventsOptions, type InboxEvent, streamEvents } from './events.ts';
import { type LinkMatch, type MessageMatch, toParameters } from './match.ts';
import type { Attachment, Delivery, MailReport, Message, MessageLink, MessageSummary } from './models.ts';
import { readSessionLog } from './session-log.ts';
import type { Siblings } from './siblings.ts';
import { toDate, toModel } from './to-model.ts';
import type { Parameters, Transport } from './transport.ts';
import { lastAnswer, longestPoll, type WaitOptions } from './wait-options.ts';
import { Waits } from './waits.ts';

/** The parts of a session, as given by the service. */
export interface InboxParts {
  readonly email: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/** A message, or its id. */
export type MessageRef = number | { readonly id: number };

const inboxesKey = Symbol.for('mayfly-client.inboxes');
const shared = globalThis as { [inboxesKey]?: WeakMap<object, Inbox> };
/**
 * The inbox that each message came from, for matchers, which are given the message alone. One run of Jest loads the
 * matchers as CommonJS, and the tests as ES modules.
 */
const inboxes = (shared[inboxesKey] ??= new WeakMap<object, Inbox>());

/** Returns undefined for anything that no inbox has returned. */
export function inboxOf(message: object): Inbox | undefined {
  return inboxes.get(message);
}

export class Inbox {
  readonly email: string;
  /** The only key to the inbox. */
  readonly token: string;
  #expiresAt: Date;
  readonly #transport: Transport;
  readonly #siblings: Siblings<Inbox>;
  readonly #waits: Waits<Inbox>;

  constructor(transport: Transport, siblings: Siblings<Inbox>, { email, token, expiresAt }: InboxParts) {
    this.#transport = transport;
    this.#siblings = siblings;
    this.email = email;
    this.token = token;
    this.#expiresAt = expiresAt;
    siblings.add(this);
    this.#waits = new Waits(this, transport, siblings);
  }

  get expiresAt(): Date {
    return this.#expiresAt;
  }

  /**
   * Returns an address with a plus tag, whose mail comes here too: `quiet-fox+TAG@…`.
   * @throws RangeError for an address that takes no tags, such as an alias of a Gmail account
   */
  address(tag: string): string {
    const at = this.email.lastIndexOf('@');
    const [local, domain] = [this.email.slice(0, at), this.email.slice(at + 1)];
    if (!/^[A-Za-z0-9._-]+$/.test(tag)) throw new RangeError(`Not a tag: ${JSON.stringify(tag)}`);
    if (/^(gmail|googlemail)\.com$/i.test(domain)) {
      throw new RangeError('An alias of a Gmail account takes no further tag.');
    }
    return `${local}+${tag}@${domain}`;
  }

  /**
   * Waits for the oldest matching message that no earlier call of `waitForMessage` on this object returned, and
   * returns it. Messages already there count.
   * @throws MailTimeout when none came in time; MayflyError when the inbox has ended; MayflyUnreachable
   */
  async waitForMessage(match: MessageMatch = {}, options: WaitOptions = {}): Promise<Message> {
    const message = await this.#waits.forMessage(match, options);
    this.#own([message]);
    return message;
  }

  /**
   * Waits for the oldest message with a code that no earlier call of `waitForCode` on this object used, and returns
   * the code.
   * @throws as waitForMessage
   */
  async waitForCode(options: MessageMatch & WaitOptions = {}): Promise<string> {
    return this.#waits.forCode(options);
  }

  /**
   * Waits for the oldest message with a matching link that no earlier call for such a link used, and returns the
   * first.
   * @throws as waitForMessage
   */
  async waitForLink(options: LinkMatch & WaitOptions = {}): Promise<MessageLink> {
    return this.#waits.forLink(options);
  }

  /** Returns the messages, newest first. */
  async messages(match: MessageMatch = {}): Promise<readonly MessageSummary[]> {
    const answer = await this.#json('/check-mail', toParameters(match));
    return this.#own((toModel(answer) as { messages: readonly MessageSummary[] }).messages);
  }

  /**
   * Returns the messages after `after`, newest first; waits up to `timeout` milliseconds when there are none. Unlike
   * `waitForMessage`, it may return a message again.
   */
  async messagesAfter(after: number, timeout = 0): Promise<readonly MessageSummary[]> {
    const held = Math.min(timeout, longestPoll);
    const answer = await this.#transport.json('/check-mail', {
      token: this.token,
      parameters: { after, wait: Math.ceil(held / 1000) },
      held,
      patience: timeout + lastAnswer,
    });
    return this.#own((toModel(answer) as { messages: readonly MessageSummary[] }).messages);
  }

  /** Reports what the sender of a message would like to know before sending it; the message stays unread. */
  async report(message: MessageRef): Promise<MailReport> {
    const answer = await this.#json('/report', { id: toId(message) });
    return (toModel(answer) as { report: MailReport }).report;
  }

  /** Returns a whole message, and marks it as read. */
  async read(message: MessageRef): Promise<Message> {
    const answer = await this.#json('/read-mail', { id: toId(message) });
    const { message: whole } = toModel(answer) as { message: Message };
    this.#own([whole]);
    return whole;
  }

  /** Returns the raw bytes, preceded by two header fields of the service. */
  raw(message: MessageRef): Promise<Uint8Array> {
    return this.#transport.bytes('/raw-mail', { token: this.token, parameters: { id: toId(message) } });
  }

  /** Stores the message of an .eml file as if it had just arrived. Returns its id. */
  async importMail(file: Uint8Array<ArrayBuffer> | string): Promise<number> {
    const headers = { 'content-type': 'message/rfc822' };
    const options = { method: 'POST', token: this.token, body: file, headers } as const;
    return Number((await this.#transport.json('/import', options))['id']);
  }

  /** Returns all messages as one mbox file (mboxrd), oldest first, as it is read. */
  async exportMail(): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#transport.send('/export', { token: this.token });
    return body ?? new Blob([]).stream();
  }

  /** Returns the decoded bytes of an attachment. */
  attachment(message: MessageRef, attachment: string | Pick<Attachment, 'id'>): Promise<Uint8Array> {
    const part = typeof attachment === 'string' ? attachment : attachment.id;
    const parameters = { id: toId(message), part };
    return this.#transport.bytes('/attachment', { token: this.token, parameters });
  }

  async delete(message: MessageRef): Promise<void> {
    await this.#json('/delete-mail', { id: toId(message) }, 'POST');
  }

  /** Deletes every message. */
  async deleteAll(): Promise<void> {
    await this.#json('/delete-mail', { all: true }, 'POST');
  }

  /** Yields events of the inbox from now on, or those after `after`, until it ends; resumes by itself. */
  events(options: EventsOptions = {}): AsyncGenerator<InboxEvent, void, undefined> {
    return streamEvents(this.#transport, this.token, options);
  }

  /** Returns the last attempts to deliver here, newest first, including refused ones. */
  async deliveryLog(): Promise<readonly Delivery[]> {
    return (await readSessionLog(this.#transport, this.token)).deliveries;
  }

  /**
   * Moves the end to `lifetime` seconds from now, by default the service's usual lifetime, but never to an earlier
   * time.
   * Returns the end.
   */
  async extend(lifetime?: number): Promise<Date> {
    const answer = await this.#json('/extend-session', { lifetime }, 'POST');
    this.#expiresAt = toDate(String(answer['expires_at']));
    return this.#expiresAt;
  }

  /** Ends the inbox and deletes its mail. Does nothing if it has ended already. */
  async end(): Promise<void> {
    try {
      await this.#json('/end-session', {}, 'POST');
    } catch (error) {
      const isGone = error instanceof MayflyError && (error.status === 410 || error.code === 'unknown_token');
      if (!isGone) throw error;
    }
    this.#siblings.remove(this);
  }

  /** Ends the inbox, for `await using`. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
  }

  /** Matchers find the inbox of a message by it. */
  #own<T extends readonly object[]>(messages: T): T {
    for (const message of messages) inboxes.set(message, this);
    return messages;
  }

  #json(
    path: string,
    parameters: Parameters,
    method: 'GET' | 'POST' = 'GET',
  ): Promise<Record<string, unknown>> {
    return this.#transport.json(path, { method, token: this.token, parameters });
  }
}

function toId(message: MessageRef): number {
  return typeof message === 'number' ? message : message.id;
}
