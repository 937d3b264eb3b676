// Filters for messages, the same for lists, waits, streams, deleting and marking. Pure. List entries are enough for
// most; a `Question` needs the whole message and is answered by find-messages.ts. Everything is compared in memory:
// subject, sender and recipients are sealed in the store, so SQL could compare only `since`.

import { type CodeKind, foldText, type FoundLink, listedKinds } from '@mayfly/mail-reader';
import type { MailQuery } from '#mail-query/mail-query';
import type { MessageGlance } from '../../domain/message.ts';
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
  /** Its words each occur in the sender, the subject, the readable text or the name of an attachment. */
  readonly query?: MailQuery | undefined;
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
  readonly hasAttachments: boolean;
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
  /** Null when the message could not be parsed. */
  readonly glance: Pick<MessageGlance, 'hasAttachments'> | null;
}

export type Matcher = (listed: ListedMessage) => boolean | Question;

export function isFiltering(filter: MessageFilter): boolean {
  const { hasCode, ...others } = filter;
  return hasCode === true || Object.values(others).some((value) => value !== undefined);
}

export function createMatcher(filter: MessageFilter): Matcher {
  const { since = -Infinity, codeKind, link, query = noQuery } = filter;
  const hasCode = filter.hasCode === true || query.has.includes('code');
  const hasFile = query.has.includes('attachment');
  const needsCode = hasCode || (codeKind !== undefined && listedKinds.has(codeKind));
  const to = foldAll(filter.to, query.to);
  const from = foldAll(filter.from, query.from);
  const subject = foldAll(filter.subject, query.subject);
  const contains = foldAll(filter.contains, []);
  const words = foldAll(undefined, query.words);
  const tag = filter.tag?.toLowerCase();
  const looksAtText = [from, subject, contains, words].some((parts) => parts.length > 0);
  return (listed) => {
    const isUnsure = listed.isPartial === true || listed.isProvisional === true;
    const isPossible =
      listed.receivedAt >= since &&
      query.is.every((state) => (state === 'read') === listed.isRead) &&
      (tag === undefined || listed.tags.some((one) => one.toLowerCase() === tag)) &&
      to.every((part) => listed.recipients.some((one) => foldText(one).includes(part))) &&
      (!needsCode || listed.code !== null || isUnsure) &&
      (!hasFile || listed.hasAttachments !== false || isUnsure);
    if (!isPossible) return false;
    const sender = looksAtText ? foldText(`${listed.senderName} <${listed.senderEmail}>`) : '';
    const title = looksAtText ? foldText(listed.subject) : '';
    if (!from.every((part) => sender.includes(part)) || !subject.every((part) => title.includes(part))) {
      return false;
    }
    const question: Question = {
      parts: [
        ...contains.filter((part) => !title.includes(part)),
        ...words.filter((word) => !title.includes(word) && !sender.includes(word)),
      ],
      link,
      codeKind,
      hasCode: hasCode && listed.code === null,
      hasAttachments: hasFile && listed.hasAttachments !== true,
    };
    return isOpen(question) ? question : true;
  };
}

const noQuery: MailQuery = { words: [], from: [], to: [], subject: [], has: [], is: [] };

function isOpen({ parts, link, codeKind, hasCode, hasAttachments }: Question): boolean {
  return parts.length > 0 || link !== undefined || codeKind !== undefined || hasCode || hasAttachments;
}

function foldAll(part: string | undefined, parts: readonly string[]): string[] {
  return [...(part === undefined ? [] : [part]), ...parts].map(foldText);
}

/** @param facts about the parts of this question */
export function isAnswered(
  { link, codeKind, hasCode, hasAttachments }: Question,
  facts: MessageFacts,
): boolean {
  const { foundParts, linkKinds } = facts;
  return (
    foundParts.every(Boolean) &&
    (!hasCode || facts.hasCode) &&
    (!hasAttachments || facts.glance?.hasAttachments === true) &&
    (codeKind === undefined || facts.codeKinds.includes(codeKind)) &&
    (link === undefined ||
      linkKinds.some((kind) =>
        link === 'any' ? kind === 'verify' || kind === 'login' || kind === 'reset' : kind === link,
      ))
  );
}
