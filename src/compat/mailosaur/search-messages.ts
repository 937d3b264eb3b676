// Searches, which clients repeat until there is a match. An empty answer is held for up to a second and sent as soon
// as matching mail arrives, so that clients hear of it at once and ask only once a second.

import { unlessDeleted } from '../../domain/gone.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import { SearchEffort, searchMaxMs } from '../../service/session/search-effort.ts';
import type { Services } from '../../service/services.ts';
import type { Asker } from '../../service/live/wait-for.ts';
import type { ListQuery } from './list-query.ts';
import { matchHead, type SearchCriteria } from './search-criteria.ts';
import type { OpenSession } from '../../service/session/session-access.ts';

type SearchServices = Pick<Services, 'listHeads' | 'loadParsedMail' | 'searchText' | 'waitFor'>;

export interface SearchRequest {
  readonly session: OpenSession;
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
  const effort = new SearchEffort(session, holdMs + searchMaxMs);
  const search = new Search({ services, criteria, query, effort });
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

interface SearchParts {
  readonly services: SearchServices;
  readonly criteria: SearchCriteria;
  readonly query: ListQuery;
  readonly effort: SearchEffort;
}

/** One page of the matching messages, newest first. */
class Search {
  readonly #services: SearchServices;
  readonly #criteria: SearchCriteria;
  readonly #query: ListQuery;
  readonly #effort: SearchEffort;
  /** Messages up to this id were examined, and none is on the page. */
  #seenTo = 0;

  constructor({ services, criteria, query, effort }: SearchParts) {
    this.#services = services;
    this.#criteria = criteria;
    this.#query = query;
    this.#effort = effort;
  }

  /** An answer with messages is final; each message is examined once, however often there is news. */
  async look(session: OpenSession): Promise<MessageHead[]> {
    const { page, itemsPerPage, receivedAfter = -Infinity } = this.#query;
    const from = page * itemsPerPage;
    const heads = await this.#services.listHeads(session);
    const wanted = heads.filter(
      ({ listed }) => listed.id > this.#seenTo && listed.receivedAt >= receivedAfter,
    );
    const found = await this.#effort.keep(
      wanted,
      (head) => this.#isMatch(session, head),
      from + itemsPerPage,
    );
    // Later pages count from the newest match, so all matches are needed again.
    if (found.length === 0) this.#seenTo = heads[0]?.listed.id ?? this.#seenTo;
    return found.slice(from);
  }

  #isMatch(session: OpenSession, head: MessageHead): boolean | Promise<boolean> {
    const { from, to, cc, listed } = head;
    const { recipients, subject, mailFrom } = listed;
    const answer = matchHead(this.#criteria, {
      senders: [...from.map(({ email }) => email), mailFrom ?? ''],
      recipients: [...[...to, ...cc].map(({ email }) => email), ...recipients],
      subject,
    });
    return answer === 'body' ? this.#holdsInBody(session, listed.id) : answer;
  }

  async #holdsInBody(session: OpenSession, id: number): Promise<boolean> {
    const { body = '' } = this.#criteria;
    const mail = await unlessDeleted(this.#services.loadParsedMail(session, id));
    if (!mail) return false;
    const { text, html } = mail.parsed;
    if (await this.#services.searchText(session, text, body)) return true;
    return html !== null && this.#services.searchText(session, html, body);
  }
}
