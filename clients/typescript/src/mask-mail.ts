// A message as text that is the same each time its template is sent: what differs by chance is masked. Codes and links
// are those that the service found; dates, ids and tokens are recognised by their form.

import type { Message } from './models.ts';

const weekday = '(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?';
const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sep(?:t(?:ember)?)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)';
const clock = String.raw`\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?`;
const zone = String.raw`(?: ?(?:[AaPp]\.?[Mm]\.?(?![a-z])|Z\b|UTC|GMT|[+-]\d{2}:?\d{2}))*`;
const time = `${clock}${zone}`;
const day = String.raw`\d{1,2}(?:st|nd|rd|th)?`;
const year = String.raw`(?:,? ?(?:19|20)\d{2}\b)?`;
const dates = new RegExp(
  [
    String.raw`\b(?:19|20)\d{2}-\d{2}-\d{2}(?:[T ]${time})?`,
    String.raw`\b(?:${weekday},? )?(?:${day}\.? ${month}|${month}\.? ${day})\b${year}(?:,?(?: at)? ${time})?(?: \([A-Z]{3,5}\))?`,
    String.raw`\b\d{1,2}[./]\d{1,2}[./](?:19|20)?\d{2}\b(?:,? ${time})?`,
    String.raw`\b${time}`,
  ].join('|'),
  'g',
);
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi;
/** Letters and digits mixed, or many digits: not a word, and no number that a person would write. */
const ids =
  /(?<![\w#&;-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{16,}(?![\w-])|(?<![\w.,#$€£&])\d{6,}(?![\w]|[.,]\d)/g;
const port = /\b(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0):\d{2,5}\b/g;

/** Returns the message with all that differs by chance in brackets. */
export function maskMail(message: Message): string {
  const { senderName, senderEmail, to, cc, subject, text, html, attachments, links } = message;
  const mask = createMask(message);
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
    mask(tidy(text)),
    ...(found.length === 0 ? [] : ['', '── links ──', ...found.map(mask)]),
    ...(html === null ? [] : ['', '── html ──', mask(tidy(spread(withoutTickets(html))))]),
    '',
  ].join('\n');
}

function createMask(message: Message): (text: string) => string {
  const { code, codes, envelope, recipients, to, links } = message;
  const addresses = [...new Set([...envelope.rcptTo, ...recipients, ...to.map(({ email }) => email)])];
  const secrets = new Map<string, string>();
  for (const address of addresses) if (address !== '') secrets.set(address, '[address]');
  for (const value of [code, ...codes.map((one) => one.value)]) {
    if (value !== null && value !== '') secrets.set(value, '[code]');
  }
  for (const { url } of links) {
    for (const part of tokensOf(url)) secrets.set(part, secrets.get(part) ?? '[token]');
  }
  // The longest first, so that a part of one never hides it.
  const known = [...secrets].sort(([one], [other]) => other.length - one.length);
  const words = new RegExp(known.map(([value]) => toPattern(value)).join('|') || '(?!)', 'gi');
  const names = new Map(known.map(([value, shown]) => [value.toLowerCase(), shown]));
  return (text) =>
    text
      .replaceAll(
        words,
        (found) => names.get(found.toLowerCase()) ?? names.get(decode(found).toLowerCase()) ?? '[token]',
      )
      .replaceAll(uuid, '[id]')
      .replaceAll(dates, '[date]')
      .replaceAll(ids, '[id]')
      .replaceAll(port, '$1:[port]');
}

/** Not within another word; an address may be encoded as in a link. */
function toPattern(value: string): string {
  const escaped = value.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
  const encoded = value.includes('@') ? `|${encodeURIComponent(value).replaceAll('.', String.raw`\.`)}` : '';
  return String.raw`(?<![\w])(?:${escaped}${encoded})(?![\w])`;
}

/** The parts of a link's path, query and fragment that look made by chance. */
function tokensOf(url: string): string[] {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return [];
  const { pathname, searchParams, hash } = new URL(url);
  const values = [...searchParams.values(), ...new URLSearchParams(hash.replace(/^#\??/, '')).values()];
  return [...pathname.split('/'), ...values, hash.slice(1)].map(decode).filter(isToken);
}

/** Letters and digits mixed, long words without sense, or digits alone. */
function isToken(part: string): boolean {
  if (/^\d{3,}$/.test(part)) return true;
  if (!/^[\w.~=+-]{8,}$/.test(part)) return false;
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
    .map((line) => line.replaceAll(/[ \t\r]+/g, ' ').trim())
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
