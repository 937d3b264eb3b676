// The waits of an inbox: calls for the same thing never return a message twice.

import { type MailTimeout, MayflyError, MayflyUnreachable } from './errors.ts';
import { explainTimeout } from './explain-timeout.ts';
import {
  findCode,
  findLink,
  isFilteredKind,
  type LinkMatch,
  type MessageMatch,
  toParameters,
} from './match.ts';
import type { Message, MessageLink, MessageSummary, OtherMail } from './models.ts';
import { readSessionLog } from './session-log.ts';
import type { Siblings } from './siblings.ts';
import { toModel } from './to-model.ts';
import type { Parameters, Transport } from './transport.ts';
import { lastAnswer, longestPoll, toWaitOptions, type WaitOptions } from './wait-options.ts';

/** Newest messages of each other inbox that an error may list. */
const otherMailMax = 10;
/** Milliseconds for which a request for them is retried. */
const hintPatience = 2000;

interface Wanted<T> {
  /** Calls of the same kind never return a message twice. */
  readonly kind: string;
  readonly what?: string;
  readonly match: MessageMatch;
  readonly parameters?: Parameters;
  /** Returns the wanted part of a message, or undefined if it has none. */
  pick(message: Message): T | undefined;
}

interface Waiting {
  readonly email: string;
  readonly token: string;
  messages(): Promise<readonly MessageSummary[]>;
}

export class Waits<Inbox extends Waiting> {
  readonly #inbox: Inbox;
  readonly #transport: Transport;
  readonly #siblings: Siblings<Inbox>;
  readonly #returned = new Map<string, Set<number>>();
  /** The newest message that calls for the same thing have looked at: the next one begins there. */
  readonly #seen = new Map<string, number>();

  constructor(inbox: Inbox, transport: Transport, siblings: Siblings<Inbox>) {
    this.#inbox = inbox;
    this.#transport = transport;
    this.#siblings = siblings;
  }

  async forMessage(match: MessageMatch, options: WaitOptions): Promise<Message> {
    return this.#wait({ kind: 'message', match, pick: (message) => message }, options);
  }

  async forCode(options: MessageMatch & WaitOptions): Promise<string> {
    const { timeout, after, signal, ...match } = options;
    const { codeKind } = match;
    const pick = (message: Message): string | undefined => findCode(message, codeKind);
    const kind = codeKind === undefined ? 'code' : `${codeKind} code`;
    const wanted = { kind, match: codeKind === undefined ? { ...match, hasCode: true } : match, pick };
    return this.#wait(wanted, toWaitOptions({ timeout, after, signal }));
  }

  async forLink(options: LinkMatch & WaitOptions): Promise<MessageLink> {
    const { timeout, after, signal, kind, host, ...match } = options;
    const kindWord = kind === undefined ? 'link' : `${kind} link`;
    const what = host === undefined ? kindWord : `${kindWord} to ${host}`;
    const wanted = {
      kind: what,
      what: `message with a ${what}`,
      match,
      parameters: { link: isFilteredKind(kind) ? kind : undefined },
      pick: (message: Message) => findLink(message, { kind, host }),
    };
    return this.#wait(wanted, toWaitOptions({ timeout, after, signal }));
  }

  async #wait<T>(wanted: Wanted<T>, options: WaitOptions): Promise<T> {
    const { timeout = this.#transport.timeout, signal } = options;
    const startedAt = Date.now();
    const until = startedAt + timeout;
    const { match, parameters = {} } = wanted;
    const returned = this.#returnedAs(wanted.kind);
    const same = JSON.stringify([wanted.kind, match, options.after]);
    let after = Math.max(options.after ?? 0, this.#seen.get(same) ?? 0);
    for (;;) {
      const left = Math.max(0, until - Date.now());
      const held = Math.min(left, longestPoll);
      const answer = await this.#transport.json('/wait-mail', {
        token: this.#inbox.token,
        parameters: { ...toParameters(match), ...parameters, after, timeout: Math.ceil(held / 1000) },
        held,
        patience: left + lastAnswer,
        signal,
      });
      const { message } = toModel(answer) as { message: Message | null };
      if (message) {
        after = message.id;
        this.#seen.set(same, Math.max(after, this.#seen.get(same) ?? 0));
        const picked = returned.has(message.id) ? undefined : wanted.pick(message);
        if (picked === undefined) continue;
        returned.add(message.id);
        return picked;
      }
      if (Date.now() >= until) throw await this.#explain(wanted, Date.now() - startedAt);
    }
  }

  #returnedAs(kind: string): Set<number> {
    const known = this.#returned.get(kind) ?? new Set();
    this.#returned.set(kind, known);
    return known;
  }

  async #explain({ kind, match, what }: Wanted<unknown>, waited: number): Promise<MailTimeout> {
    const [messages, session] = await Promise.all([
      this.#inbox.messages(),
      readSessionLog(this.#transport, this.#inbox.token),
    ]);
    const since = new Date(session.now.getTime() - waited - 1000);
    const returned = this.#returnedAs(kind);
    const { service } = this.#transport;
    const otherMail = [...session.otherMail, ...(await this.#mailOfSiblings(session.createdAt))];
    return explainTimeout({
      email: this.#inbox.email,
      service,
      match,
      what,
      returned,
      waited,
      since,
      messages,
      ...session,
      otherMail: otherMail.sort((one, other) => other.receivedAt.getTime() - one.receivedAt.getTime()),
    });
  }

  async #mailOfSiblings(since: Date): Promise<readonly OtherMail[]> {
    const lists = await Promise.all(this.#siblings.of(this.#inbox).map(({ token }) => this.#newest(token)));
    return lists.flat().filter(({ receivedAt }) => receivedAt >= since);
  }

  /** Returns nothing when it cannot be read: its errors must not replace the one that the list is for. */
  async #newest(token: string): Promise<readonly OtherMail[]> {
    try {
      const answer = await this.#transport.json('/check-mail', {
        token,
        parameters: { limit: otherMailMax },
        patience: hintPatience,
      });
      return (toModel(answer) as { messages: readonly MessageSummary[] }).messages.map(
        ({ receivedAt, recipients, senderEmail, subject }) => ({
          receivedAt,
          recipients,
          senderEmail,
          subject,
        }),
      );
    } catch (error) {
      if (error instanceof MayflyError || error instanceof MayflyUnreachable) return [];
      throw error;
    }
  }
}
