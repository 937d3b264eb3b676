// A typical mail with a code: 12 KB of HTML as a shop sends it, a table of rows with styles and links.
import { withEndOfData } from './smtp-client.ts';

export function htmlMail(code: string): Buffer {
  const row =
    '<tr><td style="padding:8px;color:#333333"><a href="https://example.org/a">One of our offers</a></td></tr>\r\n';
  return withEndOfData(
    Buffer.from(
      'From: Shop <shop@example.org>\r\nTo: you@example.org\r\nSubject: Your code\r\nMIME-Version: 1.0\r\n' +
        `Content-Type: text/html; charset=utf-8\r\n\r\n<html><body><p>Your verification code is <b>${code}</b></p>\r\n` +
        `<table>\r\n${row.repeat(110)}</table></body></html>\r\n`,
    ),
  );
}
