// A message's List-Unsubscribe fields in Mailpit's format: at most one mail address and one web link, and their errors
// in Mailpit's words.

import type { ParsedHeader } from '@mayfly/mail-reader';

export interface UnsubscribeView {
  readonly Header: string;
  readonly Links: readonly string[];
  readonly Errors: string;
  readonly HeaderPost: string;
}

/** Beyond it, a field is not read. */
const fieldMaxChars = 10_000;

export function toUnsubscribeView(headers: readonly ParsedHeader[]): UnsubscribeView {
  const field = (name: string): string =>
    headers.find((header) => header.name.toLowerCase() === name)?.value ?? '';
  const header = field('list-unsubscribe');
  if (header === '') return { Header: '', Links: [], Errors: '', HeaderPost: '' };
  const { links, errors } = readLinks(withoutComments(header.slice(0, fieldMaxChars)).trim());
  return {
    Header: header,
    Links: links,
    Errors: errors.join(', '),
    HeaderPost: field('list-unsubscribe-post'),
  };
}

interface Found {
  readonly links: readonly string[];
  readonly errors: readonly string[];
}

function readLinks(text: string): Found {
  const failed = (error: string): Found => ({ links: [], errors: [error] });
  const quoted = `"${text}"`;
  const [before = '', ...pieces] = text.split('<');
  const parts = pieces.map((piece) => {
    const end = piece.indexOf('>');
    return end < 0 ? undefined : { link: piece.slice(0, end), after: piece.slice(end + 1) };
  });
  const enclosed = parts.filter((part) => part !== undefined);
  if (enclosed.length === 0) return failed(`${quoted} no valid unsubscribe links found`);
  const isWrapped = before === '' && text.endsWith('>');
  if (!isWrapped) return failed(`${quoted} should be enclosed in <>`);
  if (enclosed.length > 2) return failed(`${quoted} should include a maximum of one email and one HTTP link`);
  if (enclosed.slice(0, -1).some(({ after }) => after.trim() !== ',')) {
    return failed(`${quoted} <> should be split with a comma and optional spaces`);
  }
  return checkLinks(enclosed.map(({ link }) => link));
}

function checkLinks(all: readonly string[]): Found {
  const links: string[] = [];
  const errors: string[] = [];
  const seen = new Set<string>();
  for (const link of all) {
    const scheme = /^mailto:[a-z0-9]/i.test(link)
      ? 'mailto:'
      : /^https?:\/\/[a-z0-9]/i.test(link)
        ? 'HTTP link'
        : '';
    if (/\s/.test(link)) errors.push(`"${link}" should not contain spaces`);
    else if (scheme === '') errors.push(`"${link}" should start with either http(s):// or mailto:`);
    else if (seen.has(scheme)) errors.push(`"${link}" should only contain one ${scheme}`);
    else {
      seen.add(scheme);
      links.push(link);
    }
  }
  return { links, errors };
}

function withoutComments(text: string): string {
  let rest = text;
  let kept = '';
  for (;;) {
    const start = rest.indexOf('(');
    const end = start < 0 ? -1 : rest.indexOf(')', start);
    if (end < 0) return kept + rest;
    kept += rest.slice(0, start);
    rest = rest.slice(end + 1);
  }
}
