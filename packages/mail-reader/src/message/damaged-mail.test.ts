// Content types, boundaries and encodings as real senders get them wrong: the intended content is read, nothing is
// hidden.
import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';

const html = '<p>Your code is <b>482913</b></p>';

function parse(...lines: string[]) {
  return parseMessage(Buffer.from(lines.join('\r\n'), 'latin1'));
}
const parseAs = (type: string, ...body: string[]) => parse('Subject: x', `Content-Type:${type}`, '', ...body);

describe('Content-Type', () => {
  it.each([
    'text/html charset=utf-8',
    ' text/html, charset=utf-8',
    ' text/html,charset=utf-8; format=flowed',
    ' text/html>',
    ' <text/html>',
    ' "text/html"; charset=utf-8',
    ' (a comment) text/html (another); charset=utf-8',
    ' text / html ; charset=utf-8',
    ' TEXT/HTML;;charset="utf-8',
    ' text/html; charset="utf-8; format=flowed',
    ' text/html: charset=utf-8',
    ' text/html charset: utf-8',
    ' text/html\t\tcharset=utf-8 boundary="x"',
    " text/html; charset='utf-8'",
    " text/html; charset*=us-ascii'en'utf-8",
    ' text/html; charset*0=utf; charset*1=-8',
  ])('%j is HTML in UTF-8', (type) => {
    const { text, html: found, attachments, parse: outcome } = parseAs(type, '<p>caf\xc3\xa9 482913</p>');
    expect({ text, found, attachments }).toEqual({
      text: 'café 482913',
      found: '<p>café 482913</p>',
      attachments: [],
    });
    expect(outcome.status).toBe('ok');
  });

  it.each(['html', '???', '/', 'text', 'plain; charset=utf-8', 'charset=utf-8', 'text/', 'unknown', 'x=y'])(
    '%j is plain text',
    (type) => {
      expect(parseAs(` ${type}`, 'caf\xc3\xa9 482913')).toMatchObject({
        text: 'café 482913',
        html: null,
        attachments: [],
      });
    },
  );

  it.each(['text/*', 'text/markdown', 'text/enriched', 'text/x-unknown', 'text/plain/x'])(
    '%j is text',
    (type) => {
      expect(parseAs(` ${type}`, 'Code 482913')).toMatchObject({ text: 'Code 482913', attachments: [] });
    },
  );

  it.each([
    ['plain/text', 'text'],
    ['application/text', 'text'],
    ['html/text', 'html'],
    ['application/html', 'html'],
    ['application/xhtml+xml; charset=utf-8', 'html'],
  ])('%j means %s, unless it is a file', (type, kind) => {
    const { text, html: found, attachments } = parseAs(` ${type}`, html);
    expect(found).toBe(kind === 'html' ? html : null);
    expect(text).toBe(kind === 'html' ? 'Your code is 482913' : html);
    expect(attachments).toEqual([]);
    const file = parseAs(` ${type}; name="a.bin"`, html);
    expect(file.attachments).toMatchObject([{ contentType: type.replace(/;.*/, '') }]);
  });

  it('keeps an invalid type a file if it has a file name', () => {
    const { attachments, text } = parseAs(
      ' multipart/mixed; boundary=b',
      '--b',
      '',
      'text',
      '--b',
      'Content-Type: pdf; name="a.pdf"',
      '',
      'x',
      '--b',
      'Content-Type: text/calendar',
      '',
      'BEGIN:VCALENDAR',
      '--b--',
    );
    expect(text).toBe('text');
    expect(attachments).toMatchObject([
      { filename: 'a.pdf', contentType: 'application/octet-stream' },
      { contentType: 'text/calendar' },
    ]);
  });

  it('prefers HTML to text of an unknown type', () => {
    const { text } = parseAs(
      ' multipart/alternative; boundary=b',
      '--b',
      'Content-Type: text/enriched',
      '',
      '<bold>enriched</bold>',
      '--b',
      'Content-Type: text/html',
      '',
      html,
      '--b--',
    );
    expect(text).toBe('Your code is 482913');
  });
});

describe('a multipart', () => {
  const parts = ['--b', 'Content-Type: text/plain', '', 'one', '--b', 'Content-Type: text/html', '', html];

  it.each([
    'multipart/alternative boundary="b"',
    'multipart/alternative, boundary=b',
    'multipart/*; boundary=b',
    'multipart; boundary=b',
    'multipart/alternative; charset=utf-8 boundary=b',
    'multipart/alternative; boundary="b  "',
    'multipart/alternative; boundary="b; type=x',
    'multipart/alternative; boundary*0="b"',
    'multipart/alternative;boundary = b;',
  ])('is parsed with the type %j', (type) => {
    const { text, html: found, attachments, parse: outcome } = parseAs(` ${type}`, ...parts, '--b--');
    expect(found).toBe(html);
    expect(text.startsWith('one')).toBe(true);
    expect({ attachments, outcome }).toEqual({ attachments: [], outcome: { status: 'ok', reason: null } });
  });

  it.each(["'b'", '<b>', '--b'])('is parsed with its boundary declared as %j', (boundary) => {
    const type = ` multipart/alternative; boundary=${boundary}`;
    expect(parseAs(type, ...parts, '--b--')).toMatchObject({
      text: 'one',
      html,
      parse: { status: 'partial' },
    });
    const literal = [...parts, '--b--'].map((line) => line.replace(/^--b/, `--${boundary}`));
    expect(parseAs(` multipart/alternative; boundary="${boundary}"`, ...literal)).toMatchObject({
      text: 'one',
      html,
      parse: { status: 'ok' },
    });
  });

  it.each([
    ['after the last part', [...parts, '--b--', '--b', '', 'more']],
    [
      'a footer',
      [...parts, '--b--', 'This footer was put here by a gateway that does not know what MIME is, 482913.'],
    ],
    ['a long preamble', ['482913 '.repeat(100), ...parts, '--b--']],
    ['parts of another boundary', ['--c', '', 'text', '--c--', ...parts, '--b--']],
    ['a part whose delimiter is lost', ['content-type: text/plain', '', '482913', ...parts, '--b--']],
    ['text before an empty part', ['482913', '--b', '', '', '--b--']],
  ])('reports text outside its parts: %s', (_, lines) => {
    const { parse: outcome } = parseAs(' multipart/mixed; boundary=b', ...lines);
    expect(outcome).toEqual({ status: 'partial', reason: 'text outside the parts of a multipart' });
  });

  it('within another is shown as text when it has no parts', () => {
    const { text, parse: outcome } = parseAs(
      ' multipart/mixed; boundary=b',
      '--b',
      'Content-Type: multipart/alternative; boundary=c',
      '',
      'Your code is 482913',
      '--b--',
    );
    expect(text).toBe('Your code is 482913');
    expect(outcome.status).toBe('partial');
  });
});

describe('Content-Disposition', () => {
  it.each([
    'inline filename="a.txt"',
    'inline, filename=a.txt',
    'attachment filename=a.txt',
    'file; filename=a.txt',
  ])('%j gives the file’s name', (disposition) => {
    const { attachments } = parseAs(
      ' multipart/mixed; boundary=b',
      '--b',
      '',
      'text',
      '--b',
      `Content-Disposition: ${disposition}`,
      '',
      'x',
      '--b--',
    );
    expect(attachments).toMatchObject([
      { filename: 'a.txt', disposition: disposition.startsWith('inline') ? 'inline' : 'attachment' },
    ]);
  });

  it('hides no text when its kind is unknown', () => {
    expect(parse('Content-Disposition: infile', '', 'Code 482913').text).toBe('Code 482913');
  });
});

describe('Content-Transfer-Encoding', () => {
  const read = (encoding: string, body: string) => parse(`Content-Transfer-Encoding: ${encoding}`, '', body);

  it.each([
    '"base64"',
    "'base64'",
    'BASE64;',
    'base64 (really)',
    'base-64',
    'x-base64',
    'mime/base64',
    'base_64',
    'base64, 8bit',
    '<base64>',
  ])('%j is base64', (encoding) => {
    expect(read(encoding, 'Q29kZSA0ODI5MTM=')).toMatchObject({
      text: 'Code 482913',
      parse: { status: 'ok' },
    });
  });

  it.each([
    'quoted_printable',
    'quoted printable',
    'quoted-printible',
    'QP',
    '"quoted-printable"',
    'QuotedPrintable',
    'quoted-printable; x',
  ])('%j is quoted-printable', (encoding) => {
    expect(read(encoding, 'Code=20482913')).toMatchObject({ text: 'Code 482913', parse: { status: 'ok' } });
  });

  it('leaves text in an unknown encoding unchanged', () => {
    expect(read('rot13', 'Code 482913')).toMatchObject({ text: 'Code 482913', parse: { status: 'partial' } });
  });
});
