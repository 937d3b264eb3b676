import { describe, expect, it } from 'vitest';

import { renderHtmlDocument } from './html-document.ts';

async function render(html: string): Promise<string> {
  const safe = { pieces: [html], slots: [], remoteContent: 0, flaggedLinks: [] };
  const content = { text: 'the <text>', html: { kind: 'safe', html: safe } } as const;
  return (await renderHtmlDocument(content, () => '')).toString();
}

describe('renderHtmlDocument', () => {
  it('shows what the sanitiser gave as it is', async () => {
    expect(await render('<p>one</p><framework>')).toMatch(/<body><p>one<\/p><framework><\/body><\/html>$/);
  });

  it.each([
    '<link rel=preconnect href=//x>',
    '<META http-equiv=refresh>',
    '<iframe/src=//x>',
    '<svg><object data=x>',
    '<embed>',
  ])(
    'shows the text in place of %s, for which a browser connects before it asks the policy',
    async (html) => {
      expect(await render(`<p>one</p>${html}`)).toContain('<body><pre>the &#60;text&#62;</pre></body>');
    },
  );
});
