import { describe, expect, it } from 'vitest';
import { cleanStyleAttribute, cleanStylesheet } from './clean-css.ts';
import { cpuMsOf } from '../../../../test/support/cpu-time.ts';

const style = (text: string): string => cleanStyleAttribute(text).css;
const sheet = (text: string): string => cleanStylesheet(text).css;

describe('cleanStyleAttribute', () => {
  it('keeps the properties mail is laid out with', () => {
    expect(style('color:#333; padding:0 10px !important;font-family:"Segoe UI",Arial,sans-serif')).toBe(
      'color:#333;padding:0 10px!important;font-family:"Segoe UI",Arial,sans-serif',
    );
    expect(style('background:linear-gradient(90deg,rgb(1,2,3),transparent 50%)')).toBe(
      'background:linear-gradient(90deg,rgb(1,2,3),transparent 50%)',
    );
    expect(style('width:calc(100% - 10px);MAX-WIDTH:600px')).toBe('width:calc(100% - 10px);MAX-WIDTH:600px');
  });

  it.each([
    'background:url(http://x.test/a)',
    'background:u\\72l(http://x.test/a)',
    'b\\61ckground:red',
    'background:image-set("http://x.test/a" 1x)',
    'background:src("http://x.test/a")',
    'color:var(--x)',
    '--x:url(http://x.test/a)',
    'width:expression(alert(1))',
    'behavior:url(x.htc)',
    '-moz-binding:url(x)',
    'position:fixed',
    'position:sticky!important',
    'position:absolute',
    'position:f\\69xed',
    'transform:scale(9)',
    'content:attr(data-x)',
    'content:"</style>"',
    'filter:url(#a)',
    'cursor:url(x),auto',
    'animation:x 1s',
    'color:"red"',
    'color:red!ie',
  ])('drops %s', (text) => {
    expect(style(text)).toBe('');
  });

  it('drops one declaration and keeps the next', () => {
    expect(style('background:url(x);color:red;;x;:y;margin:0')).toBe('color:red;margin:0');
  });

  it('counts what would have been loaded', () => {
    expect(cleanStyleAttribute('background:url(//x.test/a),url("https://x.test/b")').remoteContent).toBe(2);
    expect(cleanStyleAttribute('background:image-set("http://x.test/a" 1x)').remoteContent).toBe(1);
    expect(cleanStyleAttribute('background:url(data:image/png;base64,AA)').remoteContent).toBe(0);
    expect(cleanStyleAttribute('content:"http://x.test"').remoteContent).toBe(0);
  });
});

describe('cleanStylesheet', () => {
  it('keeps rules and media queries and prefixes ids', () => {
    expect(
      sheet(
        '<!-- #a .sm\\:w > td:first-child{color:red} @media only screen and (max-width:600px){.b{margin:0}} -->',
      ),
    ).toBe(
      '#user-content-a .sm\\:w>td:first-child{color:red}@media only screen and (max-width:600px){.b{margin:0}}',
    );
  });

  it.each([
    '@import "http://x.test"',
    '@import url(http://x.test)',
    '@\\69mport "http://x.test"',
    '@font-face{font-family:x;src:url(http://x.test)}',
    '@keyframes k{from{color:red}}',
    '@supports (display:grid){p{color:red}}',
    '@media screen{@font-face{src:url(http://x.test)}}',
    '@media (width<600px){p{color:red}}',
    '@page{margin:0}',
    'p{background:url(http://x.test)}',
    'p{& b{color:red}}',
    'p::part(x){color:red}',
    ':host{color:red}',
    ':has(p){color:red}',
    'p[title="</style>"]{color:red}',
    'p:is(:host){color:red}',
  ])('drops %s', (text) => {
    expect(sheet(text)).toBe('');
  });

  it('drops one selector of a list and keeps the others', () => {
    expect(sheet('p,:host,b{color:red}')).toBe('p,b{color:red}');
  });

  it('never writes a less-than sign', () => {
    for (const text of [
      'p{font-family:"<"}',
      '.a\\<b{color:red}',
      '@media (x:"<"){p{color:red}}',
      '<p{color:red}',
    ]) {
      expect(sheet(text)).not.toContain('<');
    }
  });

  it('changes nothing the second time', () => {
    const once = sheet(
      '#a,b>c~d+e f{color:RED;margin:-1px auto;font:12px/1.5 "A B",x}@media print{a{top:1px;color:red}}',
    );
    expect(sheet(once)).toBe(once);
  });

  it('counts imports, fonts and images', () => {
    const text =
      '@import "//x.test";@font-face{src:url(http://x.test/f)}p{background:url(http://x.test/i);--x:url(http://x.test/v)}';
    expect(cleanStylesheet(text).remoteContent).toBe(4);
  });

  it('takes linear time', () => {
    for (const piece of ['{', '(', '@media x{', 'a,', 'url(', '"', '/*', 'a{b:c}', ':not(', '[a', '\\']) {
      const text = piece.repeat(20_000 / piece.length);
      expect(
        cpuMsOf(() => cleanStylesheet(text)),
        piece,
      ).toBeLessThan(2_000);
    }
  });
});
