// A message's List-Unsubscribe fields in Mailpit's format: at most one mail address and one web link, and their
// errors.

import type { ParsedHeader } from '@mayfly/mail-reader';

export interface UnsubscribeView {
  readonly Header: string;
  readonly Links: readonly string[];
  readonly Errors: string;
  readonly HeaderPost: string;
}

export function toUnsubscribeView(headers: readonly ParsedHeader[]): UnsubscribeView {
  const field = (name: string): string =>
    headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  const header = field('list-unsubscribe');
  const post = field('list-unsubscribe-post');
  const found = [...header.slice(0, 10_000).matchAll(/<\s*((?:mailto:|https?:\/\/)[^<>\s]+)\s*>/gi)];
  const links = found.map(([, link = '']) => link);
  const mail = links.filter((link) => /^mailto:/i.test(link));
  const web = links.filter((link) => /^https?:/i.test(link));
  const errors = [
    ...(header !== '' && links.length === 0 ? ['there is no link in angle brackets'] : []),
    ...(mail.length > 1 ? ['there is more than one mail address'] : []),
    ...(web.length > 1 ? ['there is more than one web link'] : []),
    ...(post !== '' && !/^list-unsubscribe=one-click$/i.test(post)
      ? ['List-Unsubscribe-Post is not One-Click']
      : []),
    ...(post !== '' && web.length === 0 ? ['List-Unsubscribe-Post without a web link'] : []),
  ];
  return {
    Header: header,
    Links: [...mail.slice(0, 1), ...web.slice(0, 1)],
    Errors: errors.join(', '),
    HeaderPost: post,
  };
}
