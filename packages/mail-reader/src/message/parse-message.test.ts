// Whole messages: each test/fixtures/eml/x.eml must give x.expected.json, in the summary and in the parse.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { findPictures } from '../parts/attachments.ts';
import { glanceBudget, readingBudget } from '../parts/parse-budget.ts';
import { parseMessage } from './parse-message.ts';
import { readSummary } from '../header/summary.ts';

const folder = new URL('../../test/fixtures/eml/', import.meta.url);
const fixtures = readdirSync(folder).filter((name) => name.endsWith('.eml'));

const parse = (...lines: string[]) => parseMessage(Buffer.from(lines.join('\r\n')));
const multipart = (...parts: string[]) =>
  parse('Content-Type: multipart/mixed; boundary=b', '', ...parts.map((part) => `--b\r\n${part}`), '--b--');

describe('fixtures', () => {
  it('exist', () => {
    expect(fixtures.length).toBeGreaterThan(20);
  });

  it.each(fixtures)('%s gives the expected result', (name) => {
    const raw = readFileSync(new URL(name, folder));
    const expected: unknown = JSON.parse(
      readFileSync(new URL(name.replace('.eml', '.expected.json'), folder), 'utf8'),
    );
    const {
      from,
      to,
      cc,
      replyTo,
      date,
      messageId,
      text,
      html,
      attachments,
      links,
      parse: outcome,
    } = parseMessage(raw);
    expect({
      summary: readSummary(raw),
      from,
      to,
      cc,
      replyTo,
      date,
      messageId,
      text,
      html,
      // transfer-decoder.test.ts checks the positions through downloads.
      attachments: attachments.map(
        ({ body: _body, contentLocation: _url, pictureType: _type, ...shown }) => shown,
      ),
      pictures: [...findPictures(attachments)].map(([name, { id, pictureType }]) => [name, id, pictureType]),
      links,
      parse: outcome,
    }).toEqual(expected);
  });

  it.each(fixtures)('%s never throws, wherever it is cut', (name) => {
    const raw = readFileSync(new URL(name, folder));
    for (let length = 0; length < raw.length; length += 7) {
      const { parse: outcome } = parseMessage(raw.subarray(0, length));
      expect(outcome.status).not.toBe('failed');
    }
  });
});

describe('parseMessage', () => {
  it('returns headers in order, decoded, one line each', () => {
    const { headers } = parse('X-B: =?utf-8?q?=C3=BC?=', 'X-A: 1', ' 2', 'X-B: 3', '', '');
    expect(headers).toEqual([
      { name: 'X-B', value: 'ü' },
      { name: 'X-A', value: '1 2' },
      { name: 'X-B', value: '3' },
    ]);
  });

  it('reads a part that has no header, or whose header runs into the next boundary', () => {
    expect(multipart('\r\nfirst', 'no header here\r\n\r\nsecond', 'Content-Type: text/plain').text).toBe(
      'first\n\nno header here\n\nsecond',
    );
  });

  it('takes HTML as the text of an alternative whose plain part is blank', () => {
    const { text } = multipart(
      'Content-Type: multipart/alternative; boundary=a\r\n\r\n--a\r\n\r\n \r\n--a\r\nContent-Type: text/html\r\n\r\n<p>hi</p>\r\n--a--',
    );
    expect(text).toBe('hi');
  });

  it('matches a boundary that looks like an encoded word byte by byte', () => {
    const { text, parse: outcome } = parse(
      'Content-Type: multipart/mixed; boundary="=?utf-8?q?x?="',
      '',
      '--=?utf-8?q?x?=',
      '',
      'inside',
      '--=?utf-8?q?x?=--',
    );
    expect({ text, outcome }).toEqual({ text: 'inside', outcome: { status: 'ok', reason: null } });
  });

  it('distinguishes a boundary from a longer one that begins with it', () => {
    const { attachments, text } = parse(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/mixed; boundary=bb',
      '',
      '--bb',
      '',
      'inner',
      '--bb--',
      '--b',
      'Content-Type: application/zip',
      '',
      '--b--',
    );
    expect(text).toBe('inner');
    expect(attachments).toMatchObject([{ id: '2', size: 0 }]);
  });

  it('keeps the start of a long text and reports the cut', () => {
    const { text, parse: outcome } = parse('Subject: x', '', 'a'.repeat(readingBudget.textMaxChars + 1));
    expect(text).toHaveLength(readingBudget.textMaxChars);
    expect(outcome).toEqual({ status: 'partial', reason: 'a text is too long' });
  });

  it.each([100_000, 300_000, 1_500_000])('finds a code after %d characters of text', (chars) => {
    const { codes, glance } = parse(
      'Subject: x',
      '',
      'word '.repeat(chars / 5),
      'Your verification code is 482913',
    );
    expect(codes[0]?.value).toBe('482913');
    expect(glance?.code).toBe('482913');
  });

  it('finds a code that stands where two pieces of a long text meet', () => {
    for (let at = 65_490; at < 65_540; at += 3) {
      const { codes } = parse(
        'Subject: x',
        '',
        `${'a '.repeat(at / 2)}. Your code is 482913`,
        'bye '.repeat(9_000),
      );
      expect(codes[0]?.value, String(at)).toBe('482913');
    }
  });

  it('keeps a cut address field up to the limit', () => {
    const { to, parse: outcome } = parseMessage(
      Buffer.from(`To: ${'a@b.c, '.repeat(20_000)}\r\n\r\n`),
      glanceBudget,
    );
    expect(to).toHaveLength(glanceBudget.mailboxesMax);
    expect(outcome).toEqual({ status: 'partial', reason: 'a header is too long' });
  });
});
