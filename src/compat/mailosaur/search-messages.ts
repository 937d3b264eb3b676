// Searches, which clients repeat until there is a match. An empty answer is held for up to a second and sent as soon
// as matching mail arrives, so that clients hear of it at once and ask only once a second.

import { unlessDeleted } from '../../domain/gone.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { MessageHead } from '../../service/message-heads.ts';
import type { Services } from '../../service/services.ts';
import type { Asker } from '../../service/wait-for.ts';
import type { ListQuery } from './list-query.ts';
import { matchHead, type SearchCriteria } from './search-criteria.ts';

type SearchServices = Pick<Services, 'listHeads' | 'loadParsedMail' | 'searchText' | 'waitFor'>;

export interface SearchRequest {
  readonly session: Session;
  readonly criteria: SearchCriteria;
  readonly query: ListQuery;
  /** How long to wait for the first match. */
  readonly holdMs: number;
  readonly asker: Asker;
}

export interface SearchResult {
  readonly heads: readonly MessageHead[];
  /** How long a client waits before it repeats an empty search. */
  readonly delayMs: number;
}

/** How long an empty answer is held. */
export const searchHoldMs = 1000;
/** Held already: the next one may come at once. */
const heldDelayMs = 1;
/** Not held: clients must not ask in a loop. */
const unheldDelayMs = 1000;
/** Messages read at once. */
export const readAtOnce = 4;

export async function searchMessages(
  services: SearchServices,
  request: SearchRequest,
): Promise<SearchResult> {
  const { session, criteria, query, holdMs, asker } = request;
  if (query.wantsSent) return { heads: [], delayMs: unheldDelayMs };
  const search = new Search(services, criteria, query);
  const found = await search.look(session);
  if (found.length > 0) return { heads: found, delayMs: heldDelayMs };
  try {
    const heads = await services.waitFor(session, { timeoutMs: holdMs, asker }, async (live) => {
      const late = await search.look(live.session);
      return late.length > 0 ? late : undefined;
    });
    return { heads: heads ?? [], delayMs: heldDelayMs };
  } catch (error) {
    // Too many are waiting, or the service stops: fall back to polling.
    const isTurnedAway =
      error instanceof MayflyError && (error.code === 'too_many_streams' || error.code === 'unavailable');
    if (isTurnedAway) return { heads: [], delayMs: unheldDelayMs };
    throw error;
  }
}

/** One page of the matching messages, newest first. */
class Search {
  readonly #services: SearchServices;
  readonly #criteria: SearchCriteria;
  readonly #query: ListQuery;
  /** Messages up to this id were examined, and none is on the page. */
  #seenTo = 0;

  constructor(services: SearchServices, criteria: SearchCriteria, query: ListQuery) {
    this.#services = services;
    this.#criteria = criteria;
    this.#query = query;
  }

  /** An answer with messages is final; each message is examined once, however often there is news. */
  async look(session: Session): Promise<MessageHead[]> {
    const { page, itemsPerPage, receivedAfter = -Infinity } = this.#query;
    const from = page * itemsPerPage;
    const heads = await this.#services.listHeads(session);
    const wanted = heads.filter(
      ({ listed }) => listed.id > this.#seenTo && listed.receivedAt >= receivedAfter,
    );
    const found = await this.#matchesOf(session, wanted, from + itemsPerPage);
    // Later pages count from the newest match, so all matches are needed again.
    if (found.length === 0) this.#seenTo = heads[0]?.listed.id ?? this.#seenTo;
    return found.slice(from);
  }

  async #matchesOf(session: Session, heads: readonly MessageHead[], count: number): Promise<MessageHead[]> {
    const found: MessageHead[] = [];
    for (let at = 0; at < heads.length && found.length < count; at += readAtOnce) {
      const some = heads.slice(at, at + readAtOnce);
      const answers = await Promise.all(some.map((head) => this.#isMatch(session, head)));
      found.push(...some.filter((_, i) => answers[i]));
    }
    return found.slice(0, count);
  }

  async #isMatch(session: Session, head: MessageHead): Promise<boolean> {
    const { from, to, cc, listed } = head;
    const { recipients, subject, mailFrom } = listed;
    const answer = matchHead(this.#criteria, {
      senders: [...from.map(({ email }) => email), mailFrom ?? ''],
      recipients: [...[...to, ...cc].map(({ email }) => email), ...recipients],
      subject,
    });
    return answer === 'body' ? this.#holdsInBody(session, listed.id) : answer;
  }

  async #holdsInBody(session: Session, id: number): Promise<boolean> {
    const { body = '' } = this.#criteria;
    const mail = await unlessDeleted(this.#services.loadParsedMail(session, id));
    if (!mail) return false;
    const { text, html } = mail.parsed;
    if (await this.#services.searchText(session, text, body)) return true;
    return html !== null && this.#services.searchText(session, html, body);
  }
}
