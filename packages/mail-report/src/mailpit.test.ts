// Mailpit's checks, with the cases of its own tests; test/system/mailpit-checks.long.test.ts compares with Mailpit itself.

import { describe, expect, it } from 'vitest';

import { checkHtmlForMailpit, checkLinksForMailpit } from './mailpit.ts';

function slugsOf(html: string): string[] {
  return (checkHtmlForMailpit(html)?.Warnings ?? []).map(({ Slug }) => Slug).sort();
}

describe('the HTML check', () => {
  it.each([
    ['style="transform: rotate(20deg)"', 'css-transform'],
    ['style="color:green; transform :rotate(20deg)"', 'css-transform'],
    ['style="TRANSFORM:rotate(20deg)"', 'css-transform'],
    ['style="ignore-transform: something"', ''],
    ['style="text-transform: uppercase; text-transform: uppercase"', 'css-text-transform'],
    ['style="padding-inline-start: 5rem"', 'css-padding-inline-start-end css-unit-rem'],
    ['style="margin-inline-middle: 5px"', ''],
    ['style="color:green!important"', 'css-important'],
    ['style="color:green!important-stuff;"', ''],
    ['style="background-image:url(\'img.jpg\'); color: green"', 'css-background-image'],
    ['style="display  : flex ;"', 'css-display css-display-flex'],
    ['style="display: flexing;"', 'css-display'],
    [
      'style="line-height: 1rem;opacity: 0.5; width: calc(10px + 100px)"',
      'css-line-height css-opacity css-unit-calc css-unit-rem css-width',
    ],
    [
      'style="border: solid rgb(255,255,255) 1px; color:rgba(255,255,255, 0);"',
      'css-border css-rgb css-rgba',
    ],
    ['BORDER="2" BACKGROUND="GREEN"', 'css-background css-border'],
    ['border-something="2" background-something="green"', ''],
  ])('finds in <h1 %s> what Mailpit finds', (attributes, slugs) => {
    expect(slugsOf(`<h1 ${attributes}>Heading</h1>`).join(' ')).toBe(slugs);
  });

  it('writes style sheets into attributes first, by specificity and importance', () => {
    const sheet =
      'p{width:10px;color:red}.a p{height:0}p#b{float:left!important}@media x{p{opacity:0}}p:hover{filter:none}';
    const check = checkHtmlForMailpit(
      `<style>${sheet}</style><div class="a"><p id="b" style="float:none">x</p></div><p>y</p></body>`,
    );
    const found = Object.fromEntries((check?.Warnings ?? []).map(({ Slug, Score }) => [Slug, Score.Found]));
    expect(found).toEqual({
      'html-body': 1,
      'html-style': 1,
      // Twice in styles, and once as the attribute that pixels become.
      'css-width': 3,
      'css-height': 2,
      'css-float': 1,
      'css-pseudo-class-hover': 1,
    });
  });

  it('has the form of Mailpit’s answer', () => {
    const check = checkHtmlForMailpit('<p style="display:grid">x</p>');
    expect(check?.Total).toMatchObject({ Nodes: 1, Tests: 186 });
    expect(check?.Platforms['windows']).toContain('Outlook');
    const [warning] = check?.Warnings.filter(({ Slug }) => Slug === 'css-display-grid') ?? [];
    expect(warning).toMatchObject({
      Title: 'display:grid',
      Category: 'css',
      Keywords: '',
      Score: { Found: 1 },
    });
    const { Supported = 0, Partial = 0, Unsupported = 0 } = warning?.Score ?? {};
    expect(Supported + Partial + Unsupported).toBeCloseTo(100);
    expect(warning?.Results[0]).toEqual({
      Name: expect.stringMatching(/^Apple Mail macOS \(.+\)$/) as string,
      Platform: 'macos',
      Family: 'apple-mail',
      Version: expect.any(String) as string,
      Support: expect.stringMatching(/^(?:yes|no|partial)$/) as string,
      NoteNumber: expect.any(String) as string,
    });
  });
});

it('lists the links that Mailpit’s link check lists', () => {
  const html = `<link rel=stylesheet href="http://remote-host/style.css"><a href="http://example.com">a</a>
    <a href="https://example.com">b</a><a href="HTTPS://EXAMPLE.COM">c</a><a href='https://127.0.0.1'>d</a>
    <img src=https://example.com/image.jpg><p href="http://invalid-link.com">no</p><a href="http://link with spaces">e</a>
    <a href="http://example.com/?blaah=yes&amp;test=true">f</a>`;
  const text = `This is a line with http://example.com https://example.com
    HTTPS://EXAMPLE.COM
    [http://localhost]
    www.google.com < ignored
    |||http://example.com/?some=query-string|||
    <https://example.com/ link with spaces>`;
  expect(checkLinksForMailpit({ html, text: '' }).Links.map(({ URL: url }) => url)).toEqual([
    'http://example.com',
    'https://example.com',
    'HTTPS://EXAMPLE.COM',
    'https://127.0.0.1',
    'http://link with spaces',
    'http://example.com/?blaah=yes&test=true',
    'http://remote-host/style.css',
    'https://example.com/image.jpg',
  ]);
  expect(checkLinksForMailpit({ html: null, text }).Links.map(({ URL: url }) => url)).toEqual([
    'http://example.com',
    'https://example.com',
    'HTTPS://EXAMPLE.COM',
    'http://localhost',
    'http://example.com/?some=query-string',
    'https://example.com/ link with spaces',
  ]);
  expect(checkLinksForMailpit({ html, text: '' })).toMatchObject({ Errors: 1 });
});
