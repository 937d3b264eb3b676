// readSummary on ordinary, broken and hostile headers.
import { describe, expect, it } from 'vitest';
import { readSummary } from './summary.ts';

const summaryOf = (...lines: string[]) => readSummary(Buffer.from(lines.join('\r\n'), 'utf8'));
const subjectOf = (value: string): string => summaryOf(`Subject: ${value}`, '', '').subject;
const latin1Summary = (text: string) => readSummary(Buffer.from(text, 'latin1'));

describe('readSummary', () => {
  it('reads sender and subject of an ordinary message', () => {
    expect(summaryOf('From: Ann Lee <ann@example.com>', 'Subject: Hi there', '', 'body')).toEqual({
      senderName: 'Ann Lee',
      senderEmail: 'ann@example.com',
      subject: 'Hi there',
    });
  });

  it('reads names in any case, with white space before the colon, and lines ended by bare LF', () => {
    expect(latin1Summary('FROM : a@b.c\nsubJECT:x\n\n')).toEqual({
      senderName: '',
      senderEmail: 'a@b.c',
      subject: 'x',
    });
  });

  it('stops at the first empty line', () => {
    expect(summaryOf('To: x@y.z', '', 'Subject: in the body', 'From: a@b.c')).toEqual({
      senderName: '',
      senderEmail: '',
      subject: '',
    });
  });

  it('ignores fields whose names only begin with From or Subject', () => {
    expect(summaryOf('From-Line: a@b.c', 'Subject-X: no', 'X-Subject: no', '', '').subject).toBe('');
  });

  it('takes the first of duplicate fields', () => {
    expect(summaryOf('Subject: one', 'Subject: two', 'From: a@b.c', 'From: d@e.f')).toMatchObject({
      senderEmail: 'a@b.c',
      subject: 'one',
    });
  });

  it('passes over empty fields before one that says something', () => {
    expect(
      summaryOf('Subject:', 'From: ', 'Subject: \t', 'Subject: real', 'From: Ann <a@b.c>', 'Subject: no', ''),
    ).toEqual({ senderName: 'Ann', senderEmail: 'a@b.c', subject: 'real' });
    expect(summaryOf('Subject:', 'From:', '', 'Subject: body').subject).toBe('');
  });

  it('decodes 8-bit text in the charset that only a part declares', () => {
    const of = (...lines: string[]): string => latin1Summary(lines.join('\r\n')).subject;
    const gbk = 'Subject: \xc4\xfa\xb5\xc4';
    const multipart = 'Content-Type: multipart/mixed; boundary=b; charset=utf-8';
    const [html, plain] = ['text/html; charset=us-ascii', 'text/plain; charset=gbk'].map(
      (type) => `--b\r\nContent-Type: ${type}\r\n\r\nx`,
    );
    expect(of(gbk, multipart, '', html ?? '', plain ?? '', '--b--')).toBe('您的');
    expect(of(gbk, multipart, '', html ?? '', '--b--')).toBe('ÄúµÄ');
  });

  it('skips the From line of an mbox file', () => {
    expect(summaryOf('From a@b.c Fri Nov 20 09:15:00 2026', 'Subject: x').subject).toBe('x');
  });

  it('reads no header when the first line is not a field', () => {
    expect(summaryOf('Hello,', 'Subject: not a header', '', '').subject).toBe('');
  });

  it('unfolds', () => {
    expect(summaryOf('Subject: one', '\ttwo', ' three', '').subject).toBe('one two three');
  });

  it('joins adjacent encoded words and keeps the space beside ordinary ones', () => {
    expect(subjectOf('=?utf-8?q?a?= =?utf-8?q?b?= c =?utf-8?q?_d?=')).toBe('ab c  d');
  });

  it('decodes 8-bit text as UTF-8, else as declared, else as windows-1252', () => {
    expect(subjectOf('Grüße')).toBe('Grüße');
    // The last byte is A0, a space in Latin-1.
    expect(subjectOf('Voilà ')).toBe('Voilà');
    expect(subjectOf('à 你')).toBe('à 你');
    expect(latin1Summary('Subject: 5 \x80\r\n\r\n').subject).toBe('5 €');
    expect(
      latin1Summary('Subject: \xcf\xf0\xe8\r\nContent-Type: text/plain; charset="windows-1251"\r\n\r\n')
        .subject,
    ).toBe('При');
  });

  it('replaces control characters and line separators by spaces', () => {
    expect(subjectOf('=?utf-8?q?a=00b=1Bc=7Fd=C2=85e=E2=80=A8f=0D=0Ag?=')).toBe('a b c d e f  g');
  });

  it('keeps at most 998 code points', () => {
    const words = Array.from({ length: 400 }, () => `=?utf-8?q?${'=F0=9F=98=80'.repeat(4)}?=`);
    const subject = summaryOf(`Subject: x${words.join('\r\n ')}`, '').subject;
    expect([...subject]).toHaveLength(998);
    expect(subject.endsWith('😀')).toBe(true);
  });

  it('returns an empty summary for an empty or binary message', () => {
    const empty = { senderName: '', senderEmail: '', subject: '' };
    expect(readSummary(Buffer.alloc(0))).toEqual(empty);
    expect(readSummary(Buffer.alloc(65_536, 0xff))).toEqual(empty);
    expect(readSummary(Buffer.alloc(65_536, 0))).toEqual(empty);
  });

  it('never throws on damaged headers', () => {
    const good = Buffer.from(
      'From: "A \\"B\\"" <@r:"q q"@x.y> (c)\r\nSubject: =?iso-2022-jp?B?GyRCRnwbKEI=?= =?big5?q?=A4=A4?= \xe4\r\nContent-Type: text/plain; charset*0*=x\'\'%41\r\n\r\n',
      'latin1',
    );
    const bytes = [0x00, 0x0a, 0x0d, 0x22, 0x28, 0x3c, 0x3d, 0x3f, 0x5c, 0x80, 0xff];
    for (let at = 0; at < good.length; at++) {
      for (const byte of bytes) {
        const damaged = Buffer.from(good);
        damaged[at] = byte;
        const { senderName, senderEmail, subject } = readSummary(damaged);
        expect(typeof (senderName + senderEmail + subject)).toBe('string');
        expect(/[\x00-\x1f\x7f-\x9f]/.test(senderName + senderEmail + subject)).toBe(false);
      }
    }
  });
});
