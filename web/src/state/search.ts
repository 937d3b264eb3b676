// Narrows the list by recipient and tag. Pure. find-messages.ts has the search by text, which is loaded when it is used.
import type { MessageSummary } from '../api/answers.ts';

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
