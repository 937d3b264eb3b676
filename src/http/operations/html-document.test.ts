import { createHash } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { frameScriptSource } from '#mail-frame/frame-script';
import { renderHtmlDocument } from './html-document.ts';

async function render(html: string, isSized = false): Promise<string> {
  const safe = {
    pieces: [`<html><head></head><body>${html}</body></html>`],
    slots: [],
    mode: 'no-quirks' as const,
    remoteContent: 0,
    remoteImages: 0,
    flaggedLinks: [],
  };
  const content = { text: 'the <text>', html: { kind: 'safe' as const, html: safe }, isSized };
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

  it('has one script when it is to tell its height, before everything of the sender’s, and else none', async () => {
    expect(await render('<p>one</p>')).not.toContain('<script');
    const sized = await render('<p>one</p>', true);
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(sized) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(frameScriptSource).toBe(`'sha256-${hash}'`);
    expect(sized.indexOf('<script>')).toBeLessThan(sized.indexOf('<body>'));
    expect(sized.match(/<script/g)).toHaveLength(1);
  });

  it('shows the text in place of a script that names the hash of ours, for which a browser asks', async () => {
    const html = '<p>one</p><script src=//x a=">" INTEGRITY="sha256-x"></script>';
    expect(await render(html, true)).toContain('<body><pre>the &#60;text&#62;</pre></body>');
    expect(await render('<p>of integrity</p>', true)).toContain('<p>of integrity</p>');
  });
});
