import { describe, expect, it } from 'vitest';
import { readBodyContents } from './body-contents.ts';

function ofHtml(html: string) {
  return readBodyContents({ html, text: '' }).html;
}

function ofText(text: string) {
  return readBodyContents({ html: null, text }).text;
}

describe('links of HTML', () => {
  it('follow the order of the body, with repetitions', () => {
    const { links } = ofHtml(
      '<p><a href="https://b.example/">B</a> <a href="https://a.example/">A</a> <a href="https://b.example/">B</a></p>',
    );
    expect(links.map(({ text }) => text)).toEqual(['B', 'A', 'B']);
  });

  it('keep every scheme, with references decoded', () => {
    const { links } = ofHtml(
      '<a href="app://open?a=1&amp;b=2">Open</a><a HREF=\'mailto:a@b.example\'>Write</a>',
    );
    expect(links.map(({ href }) => href)).toEqual(['app://open?a=1&b=2', 'mailto:a@b.example']);
  });

  it('have the text between their tags, on one line, and null for none', () => {
    const { links } = ofHtml(
      '<a href="https://a.example/"> Confirm\n <b>your</b><br>account &gt; </a>' +
        '<a href="https://a.example/"><img src="cid:one" alt="Not a word"></a>',
    );
    expect(links.map(({ text }) => text)).toEqual(['Confirm your account >', null]);
  });

  it('are not searched in comments, scripts and styles', () => {
    expect(
      ofHtml(
        '<!-- <a href="https://a.example/">A</a> --><script>"<a href=x>"</script><style><a href=y></style>',
      ).links,
    ).toEqual([]);
  });

  it('end with the document when they are never closed', () => {
    expect(ofHtml('<a href="https://a.example/">Left open').links).toEqual([
      { href: 'https://a.example/', text: 'Left open' },
    ]);
  });

  it('without a URL are ignored', () => {
    expect(ofHtml('<a name="top">Top</a><a href="">Nothing</a>').links).toEqual([]);
  });
});

it('lists images with their address as written, and null for an absent alt', () => {
  const { images } = ofHtml(
    '<img src="https://a.example/x.png"/><IMG alt="One &amp; two" src=cid:two><img alt="no src">',
  );
  expect(images).toEqual([
    { src: 'https://a.example/x.png', alt: null },
    { src: 'cid:two', alt: 'One & two' },
  ]);
});

it('finds every link of text with repetitions, without the punctuation of the sentence', () => {
  const { links } = ofText(
    'See https://a.example/x. (Or https://a.example/y(z)) <https://a.example/x>, [https://b.example/]!',
  );
  expect(links.map(({ href }) => href)).toEqual([
    'https://a.example/x',
    'https://a.example/y(z)',
    'https://a.example/x',
    'https://b.example/',
  ]);
  expect(links.every(({ href, text }) => href === text)).toBe(true);
});

it('separates the codes of each body', () => {
  const { html, text } = readBodyContents({
    html: '<p>Your verification code is 123456</p><p>Your special ID is G3H1Y2</p>',
    text: 'Your verification code is 654321\n\nYour special ID is 5H0Y2\n',
  });
  expect(html.codes).toEqual(['123456', 'G3H1Y2']);
  expect(text.codes).toEqual(['654321', '5H0Y2']);
});

it('takes no word for a code', () => {
  expect(ofText('Your password is required. Your code is below.').codes).toEqual([]);
});

it('is bounded on hostile bodies', () => {
  const links = ofHtml('<a href="https://a.example/">'.repeat(5000)).links;
  expect(links.length).toBe(1000);
  for (const piece of ['<', '<a ', '<!--', '<script>', 'id ', 'https://', '<a href=x>&', '((']) {
    expect(() => readBodyContents({ html: piece.repeat(20_000), text: piece.repeat(20_000) })).not.toThrow();
  }
});
