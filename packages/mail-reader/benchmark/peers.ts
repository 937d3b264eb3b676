// The rules of thumb that other services and scripts find codes with, written anew for comparison: each reads the text
// that a person would see, and returns the first match or null.
import { readHtml } from '../src/extract/read-html.ts';

export interface MailToRead {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

export type Finder = (mail: MailToRead) => string | null;

/** The subject and the visible text. */
function readAll({ subject, text, html }: MailToRead): string {
  return [subject, text, html === null ? '' : readHtml(html).text].join('\n');
}

const sixDigits = /(?<!\d)\d{6}(?!\d)/;
/** A word for a code in English or Chinese, then four to eight letters or digits not far behind; else any such digits. */
const named =
  /(?:code|otp|pin|passcode|验证码|校验码|動態碼|驗證碼)[^\dA-Za-z]{0,12}(?:is|:|：|为|是)?\s{0,4}([A-Z\d]{4,8})(?![A-Za-z\d])/i;
const anyDigits = /(?<![\d.,])\d{4,8}(?![\d.,])/;
/** Numbers on a line that has an English word for a code. */
const keywordLine = /^.*\b(?:verification|security|login|confirmation|one-time|access)\b.*$/gim;

export const peers: Readonly<Record<string, Finder>> = {
  'six digits': (mail) => sixDigits.exec(readAll(mail))?.[0] ?? null,
  'a word, else digits': (mail) => {
    const all = readAll(mail);
    return named.exec(all)?.[1] ?? anyDigits.exec(all)?.[0] ?? null;
  },
  'keyword on the line': (mail) => {
    for (const [line] of readAll(mail).matchAll(keywordLine)) {
      const found = anyDigits.exec(line);
      if (found) return found[0];
    }
    return null;
  },
};
