import { describe, expect, it } from 'vitest';
import { readImageSource } from './image-source.ts';

describe('readImageSource', () => {
  it('reads parts of the message, percent-encoded or not', () => {
    expect(readImageSource('cid:a%40b')).toEqual({ kind: 'part', contentId: 'a@b' });
    expect(readImageSource(' CID:a@b ')).toEqual({ kind: 'part', contentId: 'a@b' });
    expect(readImageSource('cid:<a@b>')).toEqual({ kind: 'part', contentId: 'a@b' });
    expect(readImageSource('cid:100%')).toEqual({ kind: 'part', contentId: '100%' });
  });

  it.each([
    ['http://x.test/a', 'http://x.test/a'],
    ['//x.test/a', 'https://x.test/a'],
    ['\\\\x.test\\a', 'https://x.test/a'],
    ['ht\ttp://x.test/a', 'http://x.test/a'],
    ['http:x.test/a', 'http://x.test/a'],
    ['https://me:secret@x.test/', 'https://x.test/'],
  ])('reads %j as remote', (src, url) => {
    expect(readImageSource(src)).toEqual({ kind: 'remote', url });
  });

  it('accepts small inline pictures, and no other data', () => {
    const gif = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    expect(readImageSource(gif)).toEqual({ kind: 'data', url: gif });
    const others = ['data:image/svg+xml;base64,AAAA', 'data:text/html,x', 'data:image/gif,x', `${gif}<`];
    for (const src of [...others, gif + 'A'.repeat(600_000)]) {
      expect(readImageSource(src)).toEqual({ kind: 'none' });
    }
  });

  it.each([
    '',
    'a.gif',
    '/a.gif',
    'javascript:alert(1)',
    'file:///etc/passwd',
    'http://',
    'blob:x',
    'mayfly-slot:0-0;',
  ])('accepts nothing from %j', (src) => {
    expect(readImageSource(src)).toEqual({ kind: 'none' });
  });
});
