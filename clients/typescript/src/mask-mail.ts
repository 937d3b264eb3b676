// A message as text that is the same each time its template is sent: what differs by chance is masked. Codes and links
// are those that the service found; dates, ids and tokens are recognised by their form.

import { maskDates } from './mask-dates.ts';
import { findNumbers, maskIds, maskMachines, maskNumbers, maskUuids } from './mask-ids.ts';
import type { Message } from './models.ts';

const markup = /<style[\s>][^]*?<\/style\s*>|<[^>]*>/gi;

/** Returns the message with all that differs by chance in brackets. */
export function maskMail(message: Message): string {
  const { senderName, senderEmail, to, cc, subject, text, html, attachments, links } = message;
  const maskKnown = createMask(message);
  const mask = (words: string): string => maskWords(maskKnown(tidy(words)));
  const name = (one: { readonly name: string; readonly email: string }): string =>
    one.name === '' ? one.email : `${one.name} <${one.email}>`;
  const list = (title: string, all: readonly string[]): string[] =>
    all.length === 0 ? [] : [`${title}: ${all.join(', ')}`];
  const lines = [
    `From: ${name({ name: senderName, email: senderEmail })}`,
    ...list('To', to.map(name)),
    ...list('Cc', cc.map(name)),
    `Subject: ${subject}`,
    ...list(
      'Attachments',
      attachments.map(({ filename, contentType }) => `${filename} (${contentType})`),
    ),
  ];
  const found = links.map(
    ({ kind, url, text: words }) => `${kind} ${url}${words === '' ? '' : ` “${words}”`}`,
  );
  return [
    ...lines.map(mask),
    '',
    '── text ──',
    mask(text),
    ...(found.length === 0 ? [] : ['', '── links ──', ...found.map(mask)]),
    ...(html === null ? [] : ['', '── html ──', maskHtml(maskKnown(tidy(spread(withoutTickets(html)))))]),
    '',
  ].join('\n');
}

/** Returns what masks the codes, links' tokens and addresses of a message. */
function createMask(message: Message): (text: string) => string {
  const { code, codes, envelope, recipients, to, links, subject, text } = message;
  const secrets = new Map<string, string>();
  for (const address of [...envelope.rcptTo, ...recipients, ...to.map(({ email }) => email)]) {
    for (const form of [address, encodeURIComponent(address)]) secrets.set(form, '[address]');
  }
  const values = [...codes.map(({ value }) => value), ...(code === null ? [] : [code])];
  for (const value of values) secrets.set(value, '[code]');
  for (const part of links.flatMap(({ url }) => tokensOf(url))) {
    for (const form of [part, encodeURIComponent(part)]) {
      if (!secrets.has(form)) secrets.set(form, '[token]');
    }
  }
  for (const number of findNumbers(`${subject}\n${text}`)) {
    if (secrets.has(number) || maskDates(number) !== number) continue;
    for (const form of [number, `#${number}`]) secrets.set(form, '[id]');
  }
  secrets.delete('');
  // The longest first, so that a part of one never hides it.
  const sorted = [...secrets].sort(([one], [other]) => other.length - one.length);
  const known = new RegExp(sorted.map(([value]) => toPattern(value)).join('|') || '(?!)', 'gi');
  const names = new Map(sorted.map(([value, shown]) => [value.toLowerCase(), shown]));
  const spelled = new RegExp(values.map(toSpelled).filter(Boolean).join('|') || '(?!)', 'gi');
  const shapes = new RegExp(backupShapes(message).join('|') || '(?!)', 'gi');
  const beside = links.flatMap(({ url }) => shortTokensOf(url)).map(escaped);
  const short = new RegExp(String.raw`(?<=/)(?:${beside.join('|') || '(?!)'})(?![^/?#&"'<>()\s])`, 'g');
  return (words) =>
    words
      .replaceAll(short, '[token]')
      .replaceAll(known, (found) => names.get(found.toLowerCase()) ?? '[token]')
      .replaceAll(spelled, (found) => `[code]${(found.match(/<[^>]*>\s*/g) ?? []).join('')}`)
      .replaceAll(shapes, '[code]');
}

/** Not within another word. */
function toPattern(value: string): string {
  return String.raw`(?<![A-Za-z0-9])${escaped(value)}(?![A-Za-z0-9])`;
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** A code in groups, or with each character in an element of its own: `482 913`, `<td>4</td><td>8</td>`. */
function toSpelled(code: string): string {
  const characters = [...code.replaceAll(/[\s-]/g, '')];
  if (characters.length < 4) return '';
  const between = String.raw`(?:[\s-]|&nbsp;|<[^>]*>)*`;
  return String.raw`(?<![A-Za-z0-9])${characters.map(escaped).join(between)}(?![A-Za-z0-9])`;
}

/** Others in a list of backup codes: words of the same form as those that the service found. */
function backupShapes({ codes }: Message): string[] {
  const forms = codes
    .filter(({ kind, value }) => kind === 'backup' && value.length >= 8)
    .map(({ value }) => value.replaceAll(/[A-Za-z0-9]/g, '#').replaceAll(/[^#]/g, escaped));
  return [...new Set(forms)].map(
    (form) => String.raw`(?<![\w-])${form.replaceAll('#', '[a-z0-9]')}(?![\w-])`,
  );
}

function maskWords(text: string): string {
  return maskIds(maskNumbers(maskDates(maskMachines(text))));
}

/** In markup dates, colours and names stay. */
function maskHtml(html: string): string {
  let shown = '';
  let at = 0;
  for (const { 0: found, index } of html.matchAll(markup)) {
    shown += maskWords(html.slice(at, index)) + maskIds(maskUuids(found));
    at = index + found.length;
  }
  return shown + maskWords(html.slice(at));
}

/** The parts of a link's host, path, query and fragment that look made by chance. */
function tokensOf(url: string): string[] {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const { hostname, pathname, search, hash } = new URL(url);
  const values = [search, hash].flatMap((text) =>
    text.split(/[?#&;]/).map((one) => one.replace(/^[^=]*=/, '')),
  );
  const hosts = hostname.split('.').filter((label) => /^(?=.*[a-z])(?:.*\d){5}/.test(label));
  return [...hosts, ...[...pathname.split('/'), ...hash.split('/'), ...values].map(decode).filter(isToken)];
}

/** Beside a token also short parts of the path: a number, or one coded in capitals and small letters. */
function shortTokensOf(url: string): string[] {
  if (tokensOf(url).length === 0) return [];
  const parts = new URL(url).pathname.split('/').filter((part) => /^[A-Za-z0-9]{1,7}$/.test(part));
  return parts.filter((part) => /^\d+$/.test(part) || (/[A-Z]/.test(part) && !/^[A-Z][a-z]+$/.test(part)));
}

/** Letters and digits mixed, long words without sense, or digits alone. */
function isToken(part: string): boolean {
  if (/^\d{3,}$/.test(part)) return true;
  if (!/^[\w.~=+/-]{8,}$/.test(part)) return false;
  return (
    (/\d/.test(part) && /[A-Za-z]/.test(part)) ||
    /^[A-Za-z0-9_-]{24,}$/.test(part) ||
    /[a-z][A-Z].*[a-z][A-Z]/.test(part)
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Pictures that came with the message are shown by paths that hold a ticket. */
function withoutTickets(html: string): string {
  return html.replaceAll(/(["'(])[^"'()]{0,200}\/inline-image\?[^"'()]*/g, '$1[picture]');
}

/** Elements on lines of their own, so that a difference shows where it is. */
function spread(html: string): string {
  return html.replaceAll(/>\s*</g, '>\n<');
}

function tidy(text: string): string {
  return text
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/[\u200E\u200F\u061C]/g, '')
        .replaceAll(/[ \t\r\u00A0\u2009\u202F]+/g, ' ')
        .trim(),
    )
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
