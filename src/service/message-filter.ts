// Which messages a filter means: the same words for lists, waits, streams, deleting and marking. Pure. What a list
// shows is enough for most of it; a `Question` is what only the whole message tells, which find-messages.ts asks.
// All of it is in memory: subject, sender and recipients are sealed in the store, so that SQL could compare nothing
// but `since`.

import { foldText, type FoundLink } from '@mayfly/mail-reader';
import type { ListedMessage } from './check-mail.ts';

type LinkFilter = 'verify' | 'login' | 'reset' | 'any';

/** All that are given must hold; texts match anywhere, in any case, over line breaks. */
export interface MessageFilter {
  /** In one of the session's recipients. */
  readonly to?: string | undefined;
  /** In the sender's address or name. */
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  /** One of the tags, all of it. */
  readonly tag?: string | undefined;
  /** Received then or later, ms since 1970. */
  readonly since?: number | undefined;
  readonly hasCode?: boolean | undefined;
  /** A link of this kind; `any` of the three. */
  readonly link?: LinkFilter | undefined;
  /** Each of its words in the sender, the subject or the readable text. */
  readonly words?: string | undefined;
  /** As a whole in the subject or in the readable text. */
  readonly contains?: string | undefined;
}

/** What all has to be true of the whole message. */
export interface Question {
  /** Each in the readable text. */
  readonly parts: readonly string[];
  readonly link: LinkFilter | undefined;
  readonly hasCode: boolean;
}

/** What the whole message tells. */
export interface MessageFacts {
  /** Whether the readable text holds every part that was asked for. */
  readonly holdsParts: boolean;
  readonly linkKinds: readonly FoundLink['kind'][];
  /** One found with confidence. */
  readonly hasCode: boolean;
}

export type Matcher = (listed: ListedMessage) => boolean | Question;

export function isFiltering(filter: MessageFilter): boolean {
  const { hasCode, ...others } = filter;
  return hasCode === true || Object.values(others).some((value) => value !== undefined);
}

export function createMatcher(filter: MessageFilter): Matcher {
  const { since = -Infinity, hasCode = false, link } = filter;
  const [to, from, subject, contains] = [filter.to, filter.from, filter.subject, filter.contains].map(fold);
  const tag = filter.tag?.toLowerCase();
  const words = (fold(filter.words) ?? '').split(' ').filter((word) => word !== '');
  const looksAtText = [from, subject, contains].some((part) => part !== undefined) || words.length > 0;
  return (listed) => {
    const isPossible =
      listed.receivedAt >= since &&
      (tag === undefined || listed.tags.some((one) => one.toLowerCase() === tag)) &&
      (to === undefined || listed.recipients.some((one) => foldText(one).includes(to))) &&
      (!hasCode || listed.code !== null || listed.isProvisional === true);
    if (!isPossible) return false;
    const sender = looksAtText ? foldText(`${listed.senderName} <${listed.senderEmail}>`) : '';
    const title = looksAtText ? foldText(listed.subject) : '';
    if (!holds(sender, from) || !holds(title, subject)) return false;
    const question: Question = {
      parts: [
        ...(holds(title, contains) ? [] : [contains ?? '']),
        ...words.filter((word) => !title.includes(word) && !sender.includes(word)),
      ],
      link,
      hasCode: hasCode && listed.code === null,
    };
    return question.parts.length > 0 || question.link !== undefined || question.hasCode ? question : true;
  };
}

function fold(part: string | undefined): string | undefined {
  return part === undefined ? undefined : foldText(part);
}

/** Both folded. */
function holds(text: string, part: string | undefined): boolean {
  return part === undefined || text.includes(part);
}

/** @param facts of the parts of this question */
export function isAnswered({ link, hasCode }: Question, facts: MessageFacts): boolean {
  const { holdsParts, linkKinds } = facts;
  return (
    holdsParts &&
    (!hasCode || facts.hasCode) &&
    (link === undefined ||
      linkKinds.some((kind) =>
        link === 'any' ? kind === 'verify' || kind === 'login' || kind === 'reset' : kind === link,
      ))
  );
}
