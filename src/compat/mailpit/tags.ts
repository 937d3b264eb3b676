// The tags that Mailpit gives a message by itself: from X-Tags and from what follows a plus in its addresses. Others
// cannot be set here.

import type { MessageHead } from '../../service/mail/message-heads.ts';

const tagMaxChars = 100;
const tagsMax = 100;

/** Lists ask for the tags of every message of a session each time. */
const known = new WeakMap<MessageHead, readonly string[]>();

/** Sorted by their characters, each once in whatever case. */
export function tagsOf(head: MessageHead): readonly string[] {
  const tags = known.get(head) ?? findTags(head);
  known.set(head, tags);
  return tags;
}

function findTags({ fields, from, to, cc, bcc, listed }: MessageHead): readonly string[] {
  const field = fields.find(({ name }) => name.toLowerCase() === 'x-tags')?.value ?? '';
  const named = [...to, ...cc, ...bcc].map(({ email }) => email);
  // Recipients whom the header names too bring nothing more.
  const addresses = [...named, ...listed.recipients, ...from.slice(0, 1).map(({ email }) => email)];
  const given = [...field.split(','), ...addresses.filter(hasPlus).flatMap(plusPartsOf)];
  const byKey = new Map<string, string>();
  for (const tag of given.map(toTag)) {
    const key = tag.toLowerCase();
    if (tag !== '' && !byKey.has(key) && byKey.size < tagsMax) byKey.set(key, tag);
  }
  return [...byKey.values()].sort((one, other) => (one < other ? -1 : 1));
}

export function allTagsOf(heads: readonly MessageHead[]): readonly string[] {
  return [...new Set(heads.flatMap(tagsOf))].sort((one, other) => (one < other ? -1 : 1));
}

/** Returns how many messages have each. */
export function countTags(heads: readonly MessageHead[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const tag of heads.flatMap(tagsOf)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return Object.fromEntries(counts);
}

const hasPlus = (address: string): boolean => address.includes('+');

function plusPartsOf(address: string): string[] {
  const plus = address.indexOf('+');
  const at = plus < 0 ? -1 : address.indexOf('@', plus);
  return at < 0 ? [] : address.slice(plus + 1, at).split('+');
}

function toTag(text: string): string {
  return text
    .replace(/[^a-zA-Z0-9\- _.@]/g, ' ')
    .replace(/ +/g, ' ')
    .trim()
    .slice(0, tagMaxChars);
}
