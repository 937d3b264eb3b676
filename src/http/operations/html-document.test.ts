import { describe, expect, it } from 'vitest';

import { renderHtmlDocument } from './html-document.ts';

function render(html: string): string {
  const safe = { pieces: [html], slots: [], remoteContent: 0, flaggedLinks: [] };
  return renderHtmlDocument({ text: 'the <text>', html: { kind: 'safe', html: safe } }, () => '');
}

describe('renderHtmlDocument', () => {
  it('shows what the sanitiser gave as it is', () => {
    expect(render('<p>one</p><framework>')).toMatch(/<body><p>one<\/p><framework><\/body><\/html>$/);
  });

  it.each([
    '<link rel=preconnect href=//x>',
    '<META http-equiv=refresh>',
    '<iframe/src=//x>',
    '<svg><object data=x>',
    '<embed>',
  ])('shows the text in place of %s, for which a browser connects before it asks the policy', (html) => {
    expect(render(`<p>one</p>${html}`)).toContain('<body><pre>the &#60;text&#62;</pre></body>');
  });
});
