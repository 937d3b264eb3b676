// Which messages a search finds: those in whose sender, recipients, subject, beginning or code every word of it stands.
// Pure.
import type { MessageSummary } from '../api/answers.ts';

export function findMessages(messages: readonly MessageSummary[], query: string): readonly MessageSummary[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return messages;
  return messages.filter(
    ({ sender_name: name, sender_email: email, subject, preview, code, recipients = [] }) => {
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

/** Each once, in lower case and in order. */
export function listRecipients(messages: readonly MessageSummary[]): readonly string[] {
  return [...new Set(messages.flatMap(recipientsOf))].sort();
}

function recipientsOf({ recipients = [] }: MessageSummary): string[] {
  return recipients.map((recipient) => recipient.toLowerCase());
}

/** Without case and accents, so that `jose` finds José. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
