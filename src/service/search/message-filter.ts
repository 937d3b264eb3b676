// Filters for messages, the same for lists, waits, streams, deleting and marking. Pure. List entries are enough for
// most; a `Question` needs the whole message and is answered by find-messages.ts. Everything is compared in memory:
// subject, sender and recipients are sealed in the store, so SQL could compare only `since`.

import { type CodeKind, foldText, type FoundLink, listedKinds } from '@mayfly/mail-reader';
import type { ListedMessage } from '../mail/check-mail.ts';

type LinkFilter = 'verify' | 'login' | 'reset' | 'any';

/** All given conditions must hold. Texts match anywhere, ignoring case and line breaks. */
export interface MessageFilter {
  /** Matches one of the session's recipients. */
  readonly to?: string | undefined;
  /** Matches the sender's address or name. */
  readonly from?: string | undefined;
  readonly subject?: string | undefined;
  /** Equals one of the tags. */
  readonly tag?: string | undefined;
  /** Received at this instant or later, ms since 1970. */
  readonly since?: number | undefined;
  readonly hasCode?: boolean | undefined;
  /** Has a code of this kind. */
  readonly codeKind?: CodeKind | undefined;
  /** Has a link of this kind; `any` for one of the three. */
  readonly link?: LinkFilter | undefined;
  /** Each word occurs in the sender, the subject, the readable text or the name of an attachment. */
  readonly words?: string | undefined;
  /** Occurs as a whole in the subject, the readable text or the name of an attachment. */
  readonly contains?: string | undefined;
}

/** Conditions on the whole message. */
export interface Question {
  /** Each must occur in the readable text or the name of an attachment. */
  readonly parts: readonly string[];
  readonly link: LinkFilter | undefined;
  readonly codeKind: CodeKind | undefined;
  readonly hasCode: boolean;
}

/** The results of reading the whole message. */
export interface MessageFacts {
  /** For each requested part, whether the readable text or the name of an attachment contains it. */
  readonly foundParts: readonly boolean[];
  readonly linkKinds: readonly FoundLink['kind'][];
  /** Whether lists show a code. */
  readonly hasCode: boolean;
  /** The kinds of the codes that were found with confidence. */
  readonly codeKinds: readonly CodeKind[];
}

export type Matcher = (listed: ListedMessage) => boolean | Question;

export function isFiltering(filter: MessageFilter): boolean {
  const { hasCode, ...others } = filter;
  return hasCode === true || Object.values(others).some((value) => value !== undefined);
}

export function createMatcher(filter: MessageFilter): Matcher {
  const { since = -Infinity, hasCode = false, codeKind, link } = filter;
  const needsCode = hasCode || (codeKind !== undefined && listedKinds.has(codeKind));
  const [to, from, subject, contains] = [filter.to, filter.from, filter.subject, filter.contains].map(fold);
  const tag = filter.tag?.toLowerCase();
  const words = (fold(filter.words) ?? '').split(' ').filter((word) => word !== '');
  const looksAtText = [from, subject, contains].some((part) => part !== undefined) || words.length > 0;
  return (listed) => {
    const isPossible =
      listed.receivedAt >= since &&
      (tag === undefined || listed.tags.some((one) => one.toLowerCase() === tag)) &&
      (to === undefined || listed.recipients.some((one) => foldText(one).includes(to))) &&
      (!needsCode || listed.code !== null || listed.isPartial === true || listed.isProvisional === true);
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
      codeKind,
      hasCode: hasCode && listed.code === null,
    };
    return isOpen(question) ? question : true;
  };
}

function isOpen({ parts, link, codeKind, hasCode }: Question): boolean {
  return parts.length > 0 || link !== undefined || codeKind !== undefined || hasCode;
}

function fold(part: string | undefined): string | undefined {
  return part === undefined ? undefined : foldText(part);
}

/** Both are folded. */
function holds(text: string, part: string | undefined): boolean {
  return part === undefined || text.includes(part);
}

/** @param facts about the parts of this question */
export function isAnswered({ link, codeKind, hasCode }: Question, facts: MessageFacts): boolean {
  const { foundParts, linkKinds } = facts;
  return (
    foundParts.every(Boolean) &&
    (!hasCode || facts.hasCode) &&
    (codeKind === undefined || facts.codeKinds.includes(codeKind)) &&
    (link === undefined ||
      linkKinds.some((kind) =>
        link === 'any' ? kind === 'verify' || kind === 'login' || kind === 'reset' : kind === link,
      ))
  );
}
