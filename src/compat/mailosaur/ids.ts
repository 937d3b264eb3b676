// Ids of messages and attachments. A message's id contains its server and an attachment's contains its message, so
// that ids of other sessions never match.

import { notFound } from './mailosaur-error.ts';

export function toMessageId(server: string, id: number): string {
  return `${server}-${id}`;
}

export function toAttachmentId(server: string, id: number, part: string): string {
  return `${server}-${id}-${part}`;
}

/** @throws MayflyError not_found */
export function parseMessageId(text: string, server: string): number {
  const found = /^([a-z\d]{8})-([1-9]\d{0,14})$/.exec(text);
  if (found?.[1] !== server) throw notFound('id', 'There is no message with this id.');
  return Number(found[2]);
}

/** @throws MayflyError not_found */
export function parseAttachmentId(text: string, server: string): { id: number; part: string } {
  const found = /^([a-z\d]{8})-([1-9]\d{0,14})-([\d.]{1,100})$/.exec(text);
  if (found?.[1] !== server) throw notFound('id', 'There is no attachment with this id.');
  return { id: Number(found[2]), part: String(found[3]) };
}
