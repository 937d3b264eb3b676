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
    expect(glance(head)).toEqual({ preview: 'text', hasAttachments: true, code: null });
  });

  it('returns an empty glance for an empty message', () => {
    expect(glance('')).toEqual({ preview: '', hasAttachments: false, code: null });
  });

  describe('of a message whose text begins late', () => {
    const style = `<style>${'.a { color: red }\r\n'.repeat(6_000)}</style>`;
    const text = '<p>Your verification code is 482913</p>';
    const html = Buffer.from(
      `<html><head>${style}<!-- ${'x'.repeat(9_000)} --></head><body>${text}</body></html>`,
    );
    const header = 'Subject: Your verification code\r\nContent-Type: text/html\r\n';
    const whole = Buffer.concat([Buffer.from(`${header}\r\n`), html]);

    it('requests more bytes, and finds it in them', () => {
      expect(html.length).toBeGreaterThan(100_000);
      expect(glanceAt(whole.subarray(0, 65_536))).toEqual({
        preview: '',
        hasAttachments: false,
        code: null,
        isCut: true,
      });
      const found = { preview: 'Your verification code is 482913', hasAttachments: false, code: '482913' };
      expect(glanceAt(whole)).toEqual(found);
      const lines = html.toString('base64').replace(/.{76}/g, '$&\r\n');
      const encoded = Buffer.from(`${header}Content-Transfer-Encoding: base64\r\n\r\n${lines}`);
      expect(glanceAt(encoded.subarray(0, 65_536)).isCut).toBe(true);
      expect(glanceAt(encoded)).toEqual(found);
    });

    it('requests more bytes where attachments may follow', () => {
      const mixed = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\n${'word '.repeat(20_000)}`;
      expect(glanceAt(Buffer.from(mixed).subarray(0, 65_536)).isCut).toBe(true);
    });

    it('requests none when its text is complete', () => {
      const file = `Content-Type: application/pdf\r\n\r\n${'QUJD'.repeat(20_000)}`;
      const head = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nshort\r\n--b\r\n${file}`;
      expect(glance(head).isCut).toBeUndefined();
      expect(glance('', 'word '.repeat(20_000)).isCut).toBeUndefined();
    });

    it('equals the result of reading the whole message', () => {
      const { isCut, ...shown } = glanceAt(whole);
      expect(isCut).toBeUndefined();
      expect(parseMessage(whole).glance).toEqual(shown);
    });
  });
});
