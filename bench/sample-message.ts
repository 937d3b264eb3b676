// The mails sent by our own SMTP driver, in lines of plain text: the receiving path only reads the header, so only the
// length of the body matters. The same sizes always give the same bytes.
import { seededRandom } from './seeded-random.ts';

const header =
  'From: Bench <bench@example.org>\r\nTo: someone@mayfly.test\r\nSubject: A message of the benchmark\r\n' +
  'Date: Thu, 01 Jan 2026 00:00:00 +0000\r\nMessage-ID: <bench@example.org>\r\nMIME-Version: 1.0\r\n' +
  'Content-Type: text/plain; charset=utf-8\r\n\r\n';
const line = `${'The quick brown fox jumps over the lazy dog. '.repeat(2).slice(0, 74)}\r\n`;

/**
 * Returns a message whose body has exactly `bodyBytes` bytes (at least 2), ending in CRLF; no line starts with a dot.
 */
export function sampleMessage(bodyBytes: number): Buffer {
  const text = line.repeat(Math.ceil(bodyBytes / line.length)).slice(0, bodyBytes - 2);
  // The cut may follow a CR, which must not stand alone (RFC 5321 §2.3.8).
  return Buffer.from(`${header}${text.replace(/\r$/, '.')}\r\n`, 'latin1');
}

/**
 * Returns `count` realistic mail sizes, always the same: log-normal around 16 KB, cut to 2 KB to 200 KB, mean about 26
 * KB.
 */
export function mixedSizes(count: number): readonly number[] {
  const random = seededRandom(1);
  return Array.from({ length: count }, () => {
    // Irwin-Hall: the sum of twelve uniform numbers is close enough to normal.
    let normal = -6;
    for (let term = 0; term < 12; term += 1) normal += random();
    const bytes = 16_384 * Math.exp(1.05 * normal);
    return Math.round(Math.min(204_800, Math.max(2048, bytes)));
  });
}

/** Returns an ordinary mail in text and HTML of about 4 KB, for read-mail. */
export function multipartMessage(): Buffer {
  const boundary = 'part-of-the-benchmark';
  const text = `Your code is 481516.\r\n\r\n${line.repeat(18)}`;
  const html = `<html><body><h1>Hello</h1><p>Your code is <b>481516</b>.</p>${`<p>${line.trim()}</p>\r\n`.repeat(24)}</body></html>`;
  const mail =
    header.replace('text/plain; charset=utf-8', `multipart/alternative; boundary=${boundary}`) +
    `--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${text}\r\n` +
    `--${boundary}\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n--${boundary}--\r\n`;
  return Buffer.from(mail, 'latin1');
}
