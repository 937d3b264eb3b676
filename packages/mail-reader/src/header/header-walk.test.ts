// Where headers begin and end in damaged mail. Lists, the parser and DMARC must agree, and no text may vanish.
import { describe, expect, it } from 'vitest';
import { readFromDomain } from './from-domain.ts';
import { HeaderWalk } from './header-walk.ts';
import { parseMessage } from '../message/parse-message.ts';
import { readSummary } from './summary.ts';

const from = 'From: Ann <ann@example.org>';
const subject = 'Subject: Hello';

function read(raw: string) {
  const bytes = Buffer.from(raw, 'latin1');
  const { subject: parsedSubject, from: parsedFrom, text, headers, parse } = parseMessage(bytes);
  const summary = readSummary(bytes);
  expect(summary).toEqual({
    subject: parsedSubject,
    senderName: parsedFrom?.name ?? '',
    senderEmail: parsedFrom?.email ?? '',
  });
  return { ...summary, text, names: headers.map(({ name }) => name), parse, domain: readFromDomain(bytes) };
}
const readLines = (...lines: string[]) => read(lines.join('\r\n'));
const hello = { senderEmail: 'ann@example.org', subject: 'Hello' };

describe('before a header', () => {
  it.each([
    ['a byte order mark', '\xef\xbb\xbf'],
    ['the From line of an mbox file', 'From ann@example.org Fri Nov 20 09:15:00 2026\r\n'],
    ['an escaped one', '>From ann@example.org Fri Nov 20 09:15:00 2026\r\n'],
    ['one escaped twice', '>>From ann@example.org Fri Nov 20 09:15:00 2026\r\n'],
    ['several', '>From ann@example.org Fri\r\nFrom ann@example.org Fri Nov 20 09:15:00 2026\r\n'],
    ['both', '\xef\xbb\xbf>From ann@example.org Fri Nov 20 09:15:00 2026\r\n'],
  ])('%s is skipped', (_, before) => {
    const found = read(`${before}${from}\r\n${subject}\r\n\r\nthe text`);
    expect(found).toMatchObject({ ...hello, text: 'the text', domain: 'example.org' });
    expect(found.names).toEqual(['From', 'Subject']);
    expect(found.parse.status).toBe('ok');
  });

  it('keeps a text that begins like an mbox file', () => {
    expect(readLines('From here on', 'it is text').text).toBe('From here on\nit is text');
    expect(
      readLines('Content-Type: multipart/mixed; boundary=b', '', '--b', 'From here: on', 'text', '--b--')
        .text,
    ).toBe('From here: on\ntext');
  });
});

describe('a header without an empty line after it', () => {
  it.each([
    ['a greeting', 'Dear Ann,\r\nyour code is 482913.'],
    ['a line that ends in a colon after words', 'Your code is:\r\n482913'],
    ['HTML with colons', '<p:x style="a:b">482913</p:x>'],
    ['a link', 'https://example.org/482913\r\nfollow it'],
    ['a quotation of mail', 'Ann wrote:\r\nFrom: Bob <bob@example.org>\r\nSubject: other\r\n\r\nend'],
    ['8-bit text', '\xc4rger: 482913'],
    ['two dashes', '-- \r\nAnn: 482913'],
    ['fields after an empty line', 'one\r\n\r\nContent-Type: text/html\r\n\r\n<p>two</p>'],
  ])('ends at %s', (_, text) => {
    const found = read(`${from}\r\n${subject}\r\nDate: Fri, 20 Nov 2026 09:15:00 +0000\r\n${text}`);
    expect(found).toMatchObject({ ...hello, domain: null });
    expect(found.text).toBe(Buffer.from(text, 'latin1').toString('latin1').replaceAll('\r\n', '\n'));
    expect(found.parse).toEqual({ status: 'partial', reason: 'no empty line ends the header' });
  });

  it.each([' ', '\t', ' \t  ', ' \r\n '])('ends at a line that holds %j', (blank) => {
    for (const text of ['Hello Ann, 482913', 'Code: 482913', '  indented\r\nlines', '<b>x</b>']) {
      const found = read(`${from}\r\n${subject}\r\n${blank}\r\n${text}`);
      expect(found).toMatchObject({ ...hello, parse: { status: 'partial' }, domain: null });
      expect(found.text.trim()).toBe(text.trim().replaceAll('\r\n', '\n'));
    }
  });

  it('reads a multipart whose first delimiter follows at once', () => {
    const { text, parse } = readLines(
      from,
      'Content-Type: multipart/mixed; boundary="b:1"',
      '--b:1',
      'Content-Type: text/plain',
      '',
      'inside',
      '--b:1--',
    );
    expect(text).toBe('inside');
    expect(parse.status).toBe('partial');
  });

  it('reads a part whose header runs into its text', () => {
    const { text, parse } = readLines(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain; charset=utf-8',
      'one',
      '--b',
      'Content-Type: text/plain',
      '  ',
      'two',
      '--b--',
    );
    expect(text).toBe('one\n\ntwo');
    expect(parse.status).toBe('partial');
  });

  it('reports it when all of the text looks like fields', () => {
    expect(readLines(from, subject, 'Code: 482913', '').parse.status).toBe('partial');
    expect(readLines(from, subject, 'X-Code: 482913', '').parse.status).toBe('ok');
  });
});

describe('a header with lines that are not fields', () => {
  it.each([
    ['a fold without its blank', 'that goes on here'],
    ['several', 'one\r\ntwo\r\nthree'],
    ['a name without a colon, and its fold', 'From\r\n : bob@attack.test'],
  ])('continues after %s if a missing field follows', (_, stray) => {
    const found = read(
      `${from}\r\n${subject}\r\n${stray}\r\nContent-Type: text/html\r\n\r\n<p>the <b>text</b></p>`,
    );
    expect(found).toMatchObject({ ...hello, text: 'the text', domain: null });
    expect(found.parse).toEqual({ status: 'partial', reason: 'a line in the header is no field' });
  });

  it('takes a line of blanks for a fold if fields follow', () => {
    const found = readLines(from, 'Subject: Hello', ' ', '\tthere', 'Date: x', '', 'text');
    expect(found).toMatchObject({ subject: 'Hello  there', text: 'text', domain: 'example.org' });
    expect(found.parse.status).toBe('ok');
  });

  it('takes a line of blanks before the empty line for a fold', () => {
    expect(readLines(from, subject, ' ', '', 'text')).toMatchObject({ ...hello, text: 'text' });
  });

  it('ends after too many such lines', () => {
    const stray = Array.from({ length: 20 }, (_, i) => `line ${i}`);
    expect(readLines(from, subject, ...stray, 'Content-Type: text/html', '', 'x').text).toContain('line 0');
  });

  it('reports a carriage return alone', () => {
    const { domain, parse } = readLines(`${from}\rX: y`, subject, '', 'text');
    expect(domain).toBeNull();
    expect(parse.reason).toContain('a carriage return without a line feed in the header');
  });
});

describe('HeaderWalk', () => {
  it('finds the start and the end of an ordinary header', () => {
    const walk = new HeaderWalk(Buffer.from('A: 1\r\n 2\r\nB:3\r\n\r\nbody'), 0);
    const seen: [number, number, number][] = [];
    while (walk.next()) seen.push([walk.start, walk.colon, walk.end]);
    expect(seen).toEqual([
      [0, 1, 10],
      [10, 11, 15],
    ]);
    expect(walk).toMatchObject({ first: 0, bodyStart: 17, isEnded: true, oddities: [] });
  });

  it('reports when the bytes end before the header', () => {
    const walk = new HeaderWalk(Buffer.from('Subject: 1\r\nFrom: 2\r\n'), 0);
    while (walk.next());
    expect(walk).toMatchObject({ bodyStart: 21, isEnded: false, oddities: [] });
  });
});
