// HTML to plain text: readable, bounded, never markup.
import { describe, expect, it } from 'vitest';
import { htmlToText } from './html-to-text.ts';

const toText = (html: string): string => htmlToText(html, 10_000);

describe('htmlToText', () => {
  it.each([
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['One<br>Two<br/><br/>Three', 'One\nTwo\n\nThree'],
    ['a\r\n   b\tc', 'a b c'],
    ['<b>bo</b>ld <i> it</i>', 'bold it'],
    ['<ul><li>x</li><li>y</li></ul>', '- x\n- y'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a\tb\nc'],
    ['<pre>a\n  b</pre>', 'a\n  b'],
    ['x<style>p{}</style><script>if (a<b) "</p>"</script>y', 'xy'],
    ['<title>no</title>yes', 'yes'],
    ['<!-- <p>no</p> -->yes<!DOCTYPE html>', 'yes'],
    ['<!-- no --!>yes<!-->it<!--->is<!--!> no -->so', 'yesitisso'],
    ['<!>yes', 'yes'],
    ['<a title=">" href="x">link</a>', 'link'],
    ['a < b &amp;&lt;b&gt; &euro;&#8364;&#x20AC; &nope;', 'a < b &<b> €€€ &nope;'],
    ['', ''],
  ])('renders %j', (html, text) => {
    expect(toText(html)).toBe(text);
  });

  it.each(['<script>alert(1)', '<!-- open', '<style>x', '<a href="open'])(
    'hides the rest after %j',
    (html) => {
      expect(toText(`shown${html}`)).toBe('shown');
    },
  );

  it('stops at the limit', () => {
    expect(htmlToText('<p>word</p>'.repeat(1_000), 50)).toHaveLength(50);
  });
});
