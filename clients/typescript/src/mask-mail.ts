// A message as text that is the same each time its template is sent: what differs by chance is masked. Codes and links
// are those that the service found; dates, ids and tokens are recognised by their form.

import { maskDates } from './mask-dates.ts';
import type { Message } from './models.ts';

const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Letters and digits mixed, or many digits: not a word, and no number that a person would write. */
const ids =
  /(?<![\w#&;-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}(?![\w-])|(?<![\w.,#$€£&])\d{6,}(?![\w]|[.,]\d)/g;
/** Numbers of orders and the like, which in markup would be colours and names of classes: `#1234567`, `INV-2026-0123`. */
const numbers =
  /(?<![\w&;-])(?=[\w-]*[A-Za-z])(?=(?:[\w-]*?\d){5})[\w-]{6,}(?![\w-])|(?<![\w&])#\d{4,}(?!\w)/g;
const ip =
  /(?<![\w.])(?!127\.0\.0\.1|0\.0\.0\.0)\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\w)|(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])/gi;
const port = /\b(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0):\d{2,5}\b/g;
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
  const { code, codes, envelope, recipients, to, links } = message;
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
  secrets.delete('');
  // The longest first, so that a part of one never hides it.
  const known = [...secrets].sort(([one], [other]) => other.length - one.length);
  const words = new RegExp(known.map(([value]) => toPattern(value)).join('|') || '(?!)', 'gi');
  const names = new Map(known.map(([value, shown]) => [value.toLowerCase(), shown]));
  const spelled = new RegExp(values.map(toSpelled).filter(Boolean).join('|') || '(?!)', 'gi');
  const shapes = new RegExp(backupShapes(message).join('|') || '(?!)', 'gi');
  return (text) =>
    text
      .replaceAll(words, (found) => names.get(found.toLowerCase()) ?? '[token]')
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
  return maskIds(maskDates(text.replaceAll(uuid, '[id]')).replaceAll(numbers, '[id]'));
}

/** In markup dates, colours and names stay. */
function maskHtml(html: string): string {
  let shown = '';
  let at = 0;
  for (const { 0: found, index } of html.matchAll(markup)) {
    shown += maskWords(html.slice(at, index)) + maskIds(found.replaceAll(uuid, '[id]'));
    at = index + found.length;
  }
  return shown + maskWords(html.slice(at));
}

function maskIds(text: string): string {
  return text.replaceAll(ids, '[id]').replaceAll(port, '$1:[port]').replaceAll(ip, '[ip]');
}

/** The parts of a link's path, query and fragment that look made by chance. */
function tokensOf(url: string): string[] {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const { pathname, search, hash } = new URL(url);
  const values = [search, hash].flatMap((text) =>
    text.split(/[?#&;]/).map((one) => one.replace(/^[^=]*=/, '')),
  );
  return [...pathname.split('/'), ...hash.split('/'), ...values].map(decode).filter(isToken);
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
