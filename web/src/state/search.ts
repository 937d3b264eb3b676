// Which messages a search finds: those in whose sender, subject, beginning or code every word of it stands. Pure.
import type { MessageSummary } from '../api/answers.ts';

export function findMessages(messages: readonly MessageSummary[], query: string): readonly MessageSummary[] {
  const words = fold(query).split(/\s+/).filter(Boolean);
  if (words.length === 0) return messages;
  return messages.filter(({ sender_name: name, sender_email: email, subject, preview, code }) => {
    const text = fold([name, email, subject, preview, code ?? ''].join('\n'));
    return words.every((word) => text.includes(word));
  });
}

/** Without case and accents, so that `jose` finds José. */
function fold(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
