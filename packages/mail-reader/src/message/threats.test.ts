// Regression tests for known vulnerabilities of mail parsers, by their ids in the threat list (M1–M9). Sizes are those
// of real attacks, reduced only where larger ones would show nothing new.
import { describe, expect, it } from 'vitest';
import { parseMessage } from './parse-message.ts';
import { readSummary } from '../header/summary.ts';

const head = 'From: a@b.c\r\nSubject: x\r\n';
const mixed = `${head}Content-Type: multipart/mixed; boundary=b\r\n\r\n`;
const parse = (text: string) => parseMessage(Buffer.from(text, 'latin1'));
const nested = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`,
  ).join('');

describe('M1 sibling-part fan-out (MailDev #531)', () => {
  it('keeps at most 1,000 of 200,000 parts and reports partial', () => {
    const { parse: outcome, attachments } = parse(
      `${mixed}${'--b\r\nContent-Type: a/b\r\n\r\nhi\r\n'.repeat(200_000)}--b--\r\n`,
    );
    expect(outcome).toEqual({ status: 'partial', reason: 'too many parts' });
    expect(attachments).toHaveLength(999);
  });

  it('stops at 200,000 lines that look like a boundary', () => {
    const { parse: outcome } = parse(`${mixed}--b\r\n\r\nseen\r\n${'--x\r\n'.repeat(300_000)}`);
    expect(outcome.status).toBe('partial');
    expect(outcome.reason).toContain('too many lines of dashes');
  });
});

describe('M2 deep nesting (Stalwart CVE-2026-26312, Email::MIME #66, nodemailer CVE-2025-14874)', () => {
  it('stops at multipart depth 64 of 100,000', () => {
    const { parse: outcome } = parse(`${head}${nested(100_000)}\r\nhi`);
    expect(outcome.status).toBe('partial');
    expect(outcome.reason).toContain('nested too deeply');
  });

  it('reads text at depth 60', () => {
    expect(parse(`${head}${nested(60)}\r\nhi`).text).toBe('hi');
  });

  it('never reads enclosed messages, however many', () => {
    const { attachments } = parse(`${head}${'Content-Type: message/rfc822\r\n\r\n'.repeat(10_000)}\r\nhi`);
    expect(attachments).toHaveLength(1);
    expect(attachments[0]).toMatchObject({ id: '1', contentType: 'message/rfc822' });
  });

  it('ends when inner and outer boundary are the same', () => {
    const { parse: outcome } = parse(
      `${mixed}${'--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n'.repeat(1_000)}--b--`,
    );
    expect(outcome.status).toBe('partial');
    expect(outcome.reason).toContain('a boundary is used twice');
  });
});

describe('M4 markup made by libraries (mailparser #412, Roundcube CVE-2026-54433)', () => {
  it('makes no markup out of text, and leaves text unchanged', () => {
    const text = 'http://x?"onmouseover="alert(1) <img src=x onerror=alert(1)>';
    const message = parse(`${head}\r\n${text}`);
    expect(message.html).toBeNull();
    expect(message.text).toBe(text);
  });
});

describe('M6 parser ambiguity (Exim CVE-2024-39929, amavis CVE-2024-28054)', () => {
  it.each([
    ['two boundaries', 'Content-Type: multipart/mixed; boundary=b; boundary=c\r\n'],
    ['two Content-Type fields', 'Content-Type: multipart/mixed; boundary=b\r\nContent-Type: text/plain\r\n'],
    ['a comment in the parameters', 'Content-Type: multipart/mixed (c); (boundary=c) boundary=(c)b (c)\r\n'],
    ['a gap in RFC 2231 pieces', 'Content-Type: multipart/mixed; boundary*0=b; boundary*2=c\r\n'],
  ])('takes the first of %s', (_, fields) => {
    const { text } = parse(`${head}${fields}\r\n--b\r\n\r\nfirst\r\n--c\r\n\r\nsecond\r\n--b--\r\n`);
    expect(text).toBe('first\n--c\n\nsecond');
  });

  it.each([
    'Content-Type: multipart/mixed; boundary=b; boundary=c\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\nContent-Type: text/plain\r\n',
    'Content-Type: multipart/mixed; boundary="b\0"\r\n',
    'Content-Type: multipart/mixed; boundary=b\r\nContent-Transfer-Encoding: 7bit\r\nContent-Transfer-Encoding: base64\r\n',
  ])('reports partial for %j', (fields) => {
    expect(parse(`${head}${fields}\r\n--b\r\n\r\nx\r\n--b--\r\n`).parse.status).toBe('partial');
  });
});

describe('M7 path traversal (MailDev CVE-2024-27448, Mailpit GHSA-qx5x-85p8-vg4j)', () => {
  it('names parts by position, whatever Content-ID and filename say', () => {
    const raw = Buffer.from(
      `${mixed}--b\r\nContent-Type: image/png; name="../../x"\r\nContent-ID: <../../../etc/passwd>\r\n\r\nx\r\n--b--`,
    );
    const [attachment] = parseMessage(raw).attachments;
    expect(attachment).toMatchObject({ id: '1', filename: 'x', contentId: '../../../etc/passwd' });
  });
});

describe('M8 decode bombs (Roundcube TNEF, Mailpit thumbnails)', () => {
  it.each(['application/ms-tnef', 'application/zip', 'application/gzip', 'image/png'])(
    'does not open %s',
    (type) => {
      const body = Buffer.from([0x1f, 0x8b, 8, 0]).toString('base64');
      const { attachments, text } = parse(
        `${head}Content-Type: ${type}\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}`,
      );
      expect(text).toBe('');
      expect(attachments).toMatchObject([{ contentType: type, size: 4 }]);
    },
  );
});

describe('M9 charsets', () => {
  it('reads utf-7, unknown and 64 KB charsets unchanged and reports partial', () => {
    for (const charset of ['utf-7', 'no-such', 'x'.repeat(65_000)]) {
      const { text, parse: outcome } = parse(
        `${head}Content-Type: text/plain; charset="${charset}"\r\n\r\n+ADw-`,
      );
      expect(text).toBe('+ADw-');
      expect(outcome).toEqual({ status: 'partial', reason: 'unknown charset' });
    }
  });

  it('returns a subject in any charset', () => {
    expect(readSummary(Buffer.from(`Subject: =?${'x'.repeat(9_000)}?q?a?=\r\n\r\n`)).subject).toBe('a');
  });
});
