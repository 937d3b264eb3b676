// DOMPurify on our DOM against DOMPurify on jsdom: the output and the counts must be equal.
import { describe, expect, it } from 'vitest';
import { readHtmlPayloads } from '../../../test/support/html-payloads.ts';
import { createRandom, fuzzSeed } from '../../../../../test/support/random.ts';
import { createHtmlPurifier } from '../html-purifier.ts';
import { createJsdomWindow } from '../jsdom-window.ts';
import type { SafeHtml } from '../safe-html.ts';
import { sanitiseQuickly, sanitiseThoroughly } from '../sanitise-html.ts';
import { createPlainWindow } from './plain-window.ts';
import { cpuMsOf } from '../../../../../test/support/cpu-time.ts';

const plain = createHtmlPurifier(createPlainWindow());
const jsdom = createHtmlPurifier(createJsdomWindow());
const payloads = readHtmlPayloads();
const toInput = (html: string) => ({ html, images: 'browser', contentIds: [] }) as const;
const overPlain = (html: string): SafeHtml | undefined => sanitiseQuickly(toInput(html), plain);
const overJsdom = (html: string): SafeHtml | undefined => sanitiseThoroughly(toInput(html), jsdom);

/**
 * Tags that make a parser move, close or nest the tags around them. No table, in which jsdom misplaces text, and html
 * and body without attributes, of which jsdom keeps the last where browsers keep the first.
 */
const tags =
  'a abbr b i u p div span ul li form input select option template svg math mtext mglyph style title desc foreignObject ' +
  'annotation-xml noscript custom-x h1 pre textarea img br hr object font nobr body html head frameset button dl dd ' +
  'ruby rp rt marquee center details summary xmp iframe';

describe('DOMPurify over our DOM', () => {
  it('gives the same result for the corpus as on jsdom', { timeout: 300_000 }, () => {
    for (const { name, html } of payloads) expect(overPlain(html), name).toEqual(overJsdom(html));
  });

  const seed = fuzzSeed();
  it(
    `gives the same result for pieces of the corpus in any order (seed ${seed})`,
    { timeout: 300_000 },
    () => {
      const random = createRandom(seed);
      const pieces = payloads.flatMap(({ html }) => html.match(/<[^>]*>?|[^<]+/g) ?? []);
      const choices = [
        ...pieces.filter(
          (piece) => !/^<\/?(?:table|tbody|thead|tfoot|tr|td|th|caption|col|html|body)/i.test(piece),
        ),
        ...tags
          .split(' ')
          .flatMap((tag) => Array.from({ length: 12 }, () => [`<${tag}>`, `</${tag}>`]).flat()),
      ];
      for (let run = 0; run < 300; run += 1) {
        const html = Array.from({ length: 1 + random.below(25) }, () => random.pick(choices)).join('');
        // Markup that needs more passes on jsdom than we make has no result to compare: the cleaner falls back to jsdom
        // too.
        expect(overPlain(html) ?? overJsdom(html), html).toEqual(overJsdom(html));
      }
    },
  );

  it('moves text that may not be in a table before it, as browsers do', () => {
    expect(overPlain('<p>a</p><table>b<tr>c<td>d</td></tr>e</table>')?.pieces.join('')).toBe(
      '<html><head></head><body><p>a</p>bce<table><tbody><tr><td>d</td></tr></tbody></table></body></html>',
    );
  });

  it('adds the attributes of later html and body tags, and changes none', () => {
    expect(overPlain('<body class=a><body class=b dir=rtl><html lang=de>x')?.pieces.join('')).toBe(
      '<html lang="de"><head></head><body class="a" dir="rtl">x</body></html>',
    );
  });

  it('handles twenty thousand siblings, kept, removed or moved up, in linear time', () => {
    const many = (html: string): string => html.repeat(20_000);
    for (const html of ['<b>x</b>', '<o:p>x</o:p>', '<script>x</script>', '<o:p><i>x</i><i>y</i></o:p>']) {
      const text = many(html);
      const clean = (): void => {
        expect(overPlain(text)).toBeDefined();
      };
      // A tenth of a second each; quadratic time would be half a minute, as on jsdom.
      expect(cpuMsOf(clean), html).toBeLessThan(10_000);
    }
  });
});
