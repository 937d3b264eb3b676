import { type DefaultTreeAdapterTypes as Tree, parse } from 'parse5';
import { describe, expect, it } from 'vitest';

import { readHtmlPayloads } from '../../test/support/html-payloads.ts';
import { quietMarkup } from './quiet-markup.ts';

const frames = new Set('applet embed fencedframe frame frameset iframe object portal'.split(' '));
const connecting = /dns-prefetch|preconnect|prefetch|preload|prerender|dictionary/;
const refresh = '<meta http-equiv="refresh" content="0;url=https://x.test">';

/** Returns the names of elements that lead elsewhere or connect, as a browser finds them. */
function loudElements(html: string): string[] {
  const isLoud = (node: Tree.Element): boolean => {
    const valueOf = (name: string): string =>
      node.attrs
        .find((one) => one.name === name)
        ?.value.toLowerCase()
        .trim() ?? '';
    if (node.tagName === 'meta') return /^(?:refresh|x-dns-prefetch-control)$/.test(valueOf('http-equiv'));
    if (node.tagName === 'link') return connecting.test(valueOf('rel'));
    return node.tagName === 'base' || frames.has(node.tagName);
  };
  const walk = (node: Tree.Node): string[] => [
    ...('tagName' in node && isLoud(node) ? [node.tagName] : []),
    ...('childNodes' in node ? node.childNodes.flatMap(walk) : []),
    ...('content' in node ? walk(node.content) : []),
  ];
  return [true, false].flatMap((scriptingEnabled) => walk(parse(html, { scriptingEnabled })));
}

describe('markup that is shown unsanitised', () => {
  it.each([
    refresh,
    '<META HTTP-EQUIV="Refresh" content="0;url=https://x.test">',
    '<meta http-equiv=" refresh " content="0;url=https://x.test">',
    '<meta http-equiv="&#114;efresh" content="0;url=https://x.test">',
    '<meta/http-equiv=refresh content="0;url=https://x.test">',
    '<meta content="--> <b>x</b>" http-equiv=refresh />',
    "<meta content='a>b' http-equiv\n=\n'refresh'>",
    '<meta http-equiv=x-dns-prefetch-control content=on>',
  ])('loses %j', (html) => {
    expect(quietMarkup(`<p>a</p>${html}<p>b</p>`)).toBe('<p>a</p><!-- meta refresh removed --><p>b</p>');
  });

  it.each([
    ['<base href="https://x.test/">', 'base tag'],
    ['<BASE TARGET=_top>', 'base tag'],
    ['<link rel=preconnect href=//x.test>', 'link'],
    ['<link href=//x.test rel="icon DNS-Prefetch">', 'link'],
    ['<link rel=pre&#108;oad as=image href=//x.test>', 'link'],
    ['<iframe src=//x.test>', 'iframe'],
    ['<object data=//x.test type=text/html>', 'object'],
    ['<embed src=//x.test>', 'embed'],
    ['<applet code=x>', 'applet'],
  ])('loses %j', (html, name) => {
    expect(quietMarkup(`<p>a</p>${html}<p>b</p>`)).toBe(`<p>a</p><!-- ${name} removed --><p>b</p>`);
  });

  it('keeps everything else byte for byte', () => {
    const html =
      '<!DOCTYPE html>\r\n<HTML lang=en><head>\n<META charset=utf-8><meta name="viewport" content="width=device-width">' +
      '<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><meta name=description content=refresh>' +
      '<link rel=stylesheet href=//x.test/a.css><title>T</title><style>p{color:red}</style></head>' +
      '<body bgcolor="#fff"  class=a class=b><!--[if mso]><v:rect><![endif]--><P>unclosed <b>bold ' +
      '<img src=x alt="a>b"> &lt;base&gt; <a href=\'y\'>z</a><basefont color=red><metadata><table><tr><td>cell</table>';
    expect(quietMarkup(html)).toBe(html);
  });

  it('keeps a comment one comment', () => {
    expect(quietMarkup(`<!--[if mso]>${refresh}<table><![endif]--><p>`)).toBe(
      '<!--[if mso]><x-meta http-equiv="refresh" content="0;url=https://x.test"><table><![endif]--><p>',
    );
  });

  it.each([
    `<svg><style>${refresh}</style></svg>`,
    `<svg><title>${refresh}</title></svg>`,
    `<math><xmp>${refresh}</xmp></math>`,
    `<head><noscript>${refresh}</noscript></head>`,
    `<svg><![CDATA[ > <!-- ]]>${refresh} -->`,
    `<!-->${refresh}-->`,
    `<!--->${refresh}-->`,
    `<!-- --!>${refresh}-->`,
    `<a title="${refresh}">`,
    `<me<base>ta http-equiv=refresh>`,
    `<<base>meta http-equiv=refresh content=0>`,
    `<p title='<meta name="'>${refresh}">`,
    `<template>${refresh}</template>`,
    `<textarea><base href=//x.test>`,
    `<iframe><base href=//x.test></iframe>`,
    `<meta x="<meta http-equiv=refresh>`,
    `<link rel=x rel=preload href=//x.test>`,
    `<select><iframe src=//x.test>`,
    `<frameset><frame src=//x.test></frameset>`,
  ])('shows a browser nothing loud in %j', (html) => {
    expect(loudElements(quietMarkup(html))).toEqual([]);
  });

  it('shows a browser nothing loud in the corpus of hostile HTML', () => {
    const loud = readHtmlPayloads().filter(({ html }) => quietMarkup(html) !== html);
    expect(loud.length).toBeGreaterThan(50);
    const left = loud.filter(({ html }) => loudElements(quietMarkup(html)).length > 0);
    expect(left.map(({ name }) => name)).toEqual([]);
  });

  it('renames what it has not read, once it has read enough', () => {
    const quiet = quietMarkup('<meta '.repeat(50_000));
    expect(quiet.slice(-24)).toBe('<x-meta <x-meta <x-meta ');
  });
});
