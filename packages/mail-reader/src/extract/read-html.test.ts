// The HTML scanner: visible text by block, hidden text, prominent text, links.
import { describe, expect, it } from 'vitest';
import { readHtml } from './read-html.ts';

describe('readHtml', () => {
  it('ends blocks with a line break and cells with a tab', () => {
    expect(readHtml('<p>a</p><p>b<br>c</p>').text).toBe('a\nb\nc\n');
    expect(readHtml('<table><tr><td>a<td>b</table>').text).toBe('a\tb\n');
  });

  it('joins text split by inline tags and separates a word from a number', () => {
    expect(readHtml('<b>12</b><b>34</b> <i>a</i>b').text).toBe('1234 ab');
    expect(readHtml('<b>Code</b><b>123456</b>').text).toBe('Code 123456');
  });

  it('decodes entities and leaves unknown ones', () => {
    expect(readHtml('a&amp;b &#49;&#x32;&nbsp;&eacute;&bogus; &#0;').text).toBe('a&b 12 é&bogus; \ufffd');
  });

  it('leaves out head, style, script, comments and declarations', () => {
    const html =
      '<!DOCTYPE html><html><head><title>t</title></head><body><style>s</style><!-- c --><script>j</script>x</body>';
    expect(readHtml(html).text.trim()).toBe('x');
  });

  it('keeps hidden text apart', () => {
    const read = readHtml('<div style="display: none">pre</div><p>x</p><span style="font-size:0">y</span>');
    expect(read.text.trim()).toBe('x');
    expect(read.hiddenText).toContain('pre');
    expect(read.hiddenText).toContain('y');
  });

  it('shows text with its own size inside a wrapper of size zero', () => {
    const html =
      '<td style="font-size:0px;padding:10px"><div style="font-size:20px">739105</div><div style="font-size:9px">10</div></td>';
    expect(readHtml(html).text.trim()).toBe('739105\n10');
    expect(readHtml('<p title="a hidden gem" style="overflow: hidden">x</p>').text.trim()).toBe('x');
  });

  it('marks prominent text', () => {
    const read = readHtml('<p>a</p><h1>12</h1><span style="font-size:28px;font-weight:bold">34</span>');
    const marked = read.prominent.map((span) => [
      read.text.slice(span.start, span.end).trim(),
      span.prominence,
    ]);
    expect(marked).toEqual([
      ['12', 2],
      ['34', 2],
    ]);
  });

  it('reads links with their text, even without quotes or an end', () => {
    const read = readHtml(
      '<a href=https://a.example/x?a=1&amp;b=2>One</a> <a href="https://b.example"><b>Two</b>',
    );
    expect(read.links.map(({ href, text }) => [href, text])).toEqual([
      ['https://a.example/x?a=1&b=2', 'One'],
      ['https://b.example', 'Two'],
    ]);
  });

  it('takes a stray < as text and stops at an unclosed tag', () => {
    expect(readHtml('1 < 2 <3').text).toBe('1 < 2 <3');
    expect(readHtml('a<b "c').text).toBe('a');
  });
});
