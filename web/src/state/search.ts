// Finds messages in whose sender, recipients, subject, preview or code every word occurs, and those whose text the
// service found. Pure.
import type { MessageSummary } from '../api/answers.ts';

/** @param byText ids of messages that the service found by their text */
export function findMessages(
  messages: readonly MessageSummary[],
  query: string,
  byText: ReadonlySet<number>,
): readonly MessageSummary[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return messages;
  return messages.filter(
    ({ id, sender_name: name, sender_email: email, subject, preview, code, recipients = [] }) => {
      if (byText.has(id)) return true;
      const text = fold([name, email, subject, preview, code ?? '', ...recipients].join('\n'));
      return words.every((word) => text.includes(word));
    },
  );
}

/** @param recipient in lower case; empty for all */
export function filterByRecipient(
  messages: readonly MessageSummary[],
  recipient: string,
): readonly MessageSummary[] {
  if (recipient === '') return messages;
  return messages.filter((message) => recipientsOf(message).includes(recipient));
}

/** Returns each recipient once, in lower case and sorted. */
export function listRecipients(messages: readonly MessageSummary[]): readonly string[] {
  return [...new Set(messages.flatMap(recipientsOf))].sort();
}

/** @param tag as returned by listTags; empty for all */
export function filterByTag(messages: readonly MessageSummary[], tag: string): readonly MessageSummary[] {
  if (tag === '') return messages;
  return messages.filter((message) => tagsOf(message).includes(tag));
}

/** Returns each tag once, in lower case and sorted. */
export function listTags(messages: readonly MessageSummary[]): readonly string[] {
  return [...new Set(messages.flatMap(tagsOf))].sort();
}

function tagsOf({ tags = [] }: MessageSummary): string[] {
  return tags.map((tag) => tag.toLowerCase());
}

function recipientsOf({ recipients = [] }: MessageSummary): string[] {
  return recipients.map((recipient) => recipient.toLowerCase());
}

/** Removes case and accents, so that `jose` finds José. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
