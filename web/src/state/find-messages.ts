// Finds messages by what the list shows of them, and those whose text the service found. Pure, and loaded when a search
// begins. The grammar is that of the service's `q`; an operator that is still being typed does not count yet.
import {
  dropUnfinished,
  type MailQuery,
  parseMailQuery,
} from '../../../packages/mail-query/src/mail-query.ts';
import type { MessageSummary } from '../api/answers.ts';

export interface Search {
  readonly text: string;
  /** Ids of messages that the service found for this text. */
  readonly byText: ReadonlySet<number>;
  /** The open message, which reading has marked: it stays in a list of unread ones. */
  readonly openId: number | null;
}

export function findMessages(
  messages: readonly MessageSummary[],
  { text, byText, openId }: Search,
): readonly MessageSummary[] {
  const query = parseMailQuery(dropUnfinished(text));
  const [words, from, to, subject] = [query.words, query.from, query.to, query.subject].map((parts) =>
    parts.map(fold),
  ) as [string[], string[], string[], string[]];
  return messages.filter((message) => {
    if (!isOfKind(message, query, openId)) return false;
    // The service folds no accents, so it may find fewer by these; it knows the words of the text.
    if (byText.has(message.id)) return true;
    const { sender_name: name, sender_email: email, preview, code, recipients = [] } = message;
    const sender = fold(`${name} <${email}>`);
    const title = fold(message.subject);
    const addressed = fold(recipients.join('\n'));
    const all = [sender, title, fold(preview), code ?? '', addressed].join('\n');
    return (
      from.every((part) => sender.includes(part)) &&
      subject.every((part) => title.includes(part)) &&
      to.every((part) => addressed.includes(part)) &&
      words.every((word) => all.includes(word))
    );
  });
}

/** By what the list knows better than an earlier answer of the service. */
function isOfKind(message: MessageSummary, { has, is }: MailQuery, openId: number | null): boolean {
  return (
    (message.id === openId || is.every((state) => (state === 'read') === message.is_read)) &&
    has.every((thing) => (thing === 'code' ? message.code !== null : message.has_attachments !== false))
  );
}

export interface Piece {
  readonly text: string;
  readonly isHit: boolean;
}

/** Returns what a search marks in the texts of the list: its words, and the values of its operators. */
export function toHits(text: string): readonly string[] {
  const { words, from, to, subject } = parseMailQuery(dropUnfinished(text));
  return [...new Set([...words, ...from, ...to, ...subject].map(fold))].filter((hit) => hit !== '');
}

/** Splits a text at the hits; joined, the pieces are the text. */
export function markHits(text: string, hits: readonly string[]): readonly Piece[] {
  const { folded, places } = foldByPlace(text);
  const pieces: Piece[] = [];
  let at = 0;
  for (let from = 0; hits.length > 0;) {
    const found = firstOf(folded, hits, from);
    if (!found) break;
    const start = places[found.at] ?? text.length;
    const end = places[found.at + found.length] ?? text.length;
    from = found.at + found.length;
    if (start < at || end <= start) continue;
    if (start > at) pieces.push({ text: text.slice(at, start), isHit: false });
    pieces.push({ text: text.slice(start, end), isHit: true });
    at = end;
  }
  if (at < text.length) pieces.push({ text: text.slice(at), isHit: false });
  return pieces;
}

function firstOf(
  folded: string,
  hits: readonly string[],
  from: number,
): { readonly at: number; readonly length: number } | undefined {
  const found = hits
    .map((hit) => ({ at: folded.indexOf(hit, from), length: hit.length }))
    .filter(({ at }) => at >= 0);
  return found.toSorted((a, b) => a.at - b.at || b.length - a.length)[0];
}

/** Folds each character apart, with the place in the text that each folded one comes from. */
function foldByPlace(text: string): { readonly folded: string; readonly places: readonly number[] } {
  const places: number[] = [];
  let folded = '';
  let at = 0;
  for (const char of text) {
    const part = fold(char);
    for (let n = 0; n < part.length; n += 1) places.push(at);
    folded += part;
    at += char.length;
  }
  return { folded, places };
}

/** Removes case and accents, so that `jose` finds José. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
