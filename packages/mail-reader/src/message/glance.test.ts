// Preview, attachments and code from the first bytes of a message.
import { describe, expect, it } from 'vitest';
import { glanceAt } from './glance.ts';
import { parseMessage } from './parse-message.ts';

const glance = (...lines: string[]) => glanceAt(Buffer.from(lines.join('\r\n')));

describe('glanceAt', () => {
  it('returns the first 120 characters with white space collapsed', () => {
    const { preview } = glance('Subject: x', '', '  one', '', '\ttwo ', `three ${'word '.repeat(100)}`);
    expect(preview.startsWith('one two three word')).toBe(true);
    expect([...preview].length).toBeLessThanOrEqual(120);
    expect(preview.endsWith(' ')).toBe(false);
  });

  it('reads HTML as text, without the padding of preheaders', () => {
    const pad = '&zwnj;&nbsp;&#847;&#8203;'.repeat(50);
    expect(glance('Content-Type: text/html', '', `<div>Hi${pad}</div><p>there &lt;3</p>`).preview).toBe(
      'Hi there <3',
    );
  });

  it('keeps joined emoji whole and counts code points', () => {
    expect(glance('', '👨‍👩‍👧 family').preview).toBe('👨‍👩‍👧 family');
    expect(glance('', `x${'😀'.repeat(150)}`).preview).toBe(`x${'😀'.repeat(119)}`);
    expect(glance('', '😀'.repeat(2000)).preview).toBe('😀'.repeat(120));
  });

  it('reports attachments but not the pictures of the HTML', () => {
    const mixed = (part: string) =>
      glance(
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        '',
        'text',
        '--b',
        part,
        '',
        'x',
        '--b--',
      );
    expect(mixed('Content-Type: application/pdf').hasAttachments).toBe(true);
    expect(
      mixed('Content-Type: image/png\r\nContent-ID: <a>\r\nContent-Disposition: inline').hasAttachments,
    ).toBe(false);
    expect(mixed('Content-Type: text/html').hasAttachments).toBe(false);
  });

  it('finds a one-time code, and none in ordinary text', () => {
    expect(
      glance(
        'From: Shop <no-reply@shop.example>',
        'Subject: Your verification code',
        '',
        'Your verification code is 482913',
      ).code,
    ).toBe('482913');
    expect(glance('Subject: Lunch', '', 'See you at noon.').code).toBeNull();
  });

  it('reads a message that is cut in the middle of a part', () => {
    const head = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\ntext\r\n--b\r\nContent-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${'QUJD'.repeat(20_000)}`;
    expect(glance(head)).toMatchObject({ preview: 'text', hasAttachments: true, code: null });
  });

  it('returns an empty glance for an empty message', () => {
    expect(glance('')).toEqual({ preview: '', hasAttachments: false, code: null });
  });

  describe('reads bytes that may not be the whole message', () => {
    const style = `<style>${'.a { color: red }\r\n'.repeat(6_000)}</style>`;
    const text = '<p>Your verification code is 482913</p>';
    const html = Buffer.from(
      `<html><head>${style}<!-- ${'x'.repeat(9_000)} --></head><body>${text}</body></html>`,
    );
    const header = 'Subject: Your verification code\r\nContent-Type: text/html\r\n';
    const whole = Buffer.concat([Buffer.from(`${header}\r\n`), html]);
    const found = { preview: 'Your verification code is 482913', hasAttachments: false, code: '482913' };

    it('says that more of them may show what these lack, and finds it there', () => {
      expect(html.length).toBeGreaterThan(100_000);
      expect(glanceAt(whole.subarray(0, 65_536))).toEqual({
        preview: '',
        hasAttachments: false,
        code: null,
        isCut: true,
      });
      expect(glanceAt(whole)).toEqual({ ...found, isCut: true });
      const lines = html.toString('base64').replace(/.{76}/g, '$&\r\n');
      const encoded = Buffer.from(`${header}Content-Transfer-Encoding: base64\r\n\r\n${lines}`);
      expect(glanceAt(encoded)).toEqual({ ...found, isCut: true });
    });

    it('asks for more until there is a code, a file and enough text', () => {
      const file = `--b\r\nContent-Type: application/pdf\r\n\r\n${'QUJD'.repeat(20_000)}\r\n`;
      const mixed = (words: string): string =>
        `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${words}\r\n${file}`;
      const isCut = (message: string): boolean | undefined => glanceAt(Buffer.from(message)).isCut;
      expect(isCut(mixed('short'))).toBe(true);
      expect(isCut(mixed('Your verification code is 482913'))).toBe(true);
      expect(isCut(mixed(`Your verification code is 482913. ${'word '.repeat(1_000)}`))).toBeUndefined();
    });

    it('asks for none of a message that ends earlier', () => {
      expect(glanceAt(whole.subarray(0, 65_535)).isCut).toBeUndefined();
    });

    it('equals the result of reading the whole message', () => {
      const { isCut, ...shown } = glanceAt(whole);
      expect(isCut).toBe(true);
      expect(parseMessage(whole).glance).toEqual(shown);
    });
  });
});
