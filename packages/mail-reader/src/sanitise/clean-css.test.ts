import { describe, expect, it } from 'vitest';
import { cleanStyleAttribute, cleanStylesheet } from './clean-css.ts';
import { cpuMsOf } from '../../../../test/support/cpu-time.ts';

const noPicture = (): undefined => undefined;
const style = (text: string): string => cleanStyleAttribute(text, noPicture).css;
const sheet = (text: string): string => cleanStylesheet(text, noPicture).css;
const inStyle = (text: string) => cleanStyleAttribute(text, noPicture);

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
    'b\\61ckground:red',
    'background:u\\72l(http://x.test/a) #222',
    'width:url(http://x.test/a)',
    'background:linear-gradient(url(http://x.test/a),red)',
    'background:#222 attr(data-x url)',
    '--x\\79:red',
    '--x:{a:b}',
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
    'animation:x 1s',
    'color:"red"',
    'color:red!ie',
  ])('drops %s', (text) => {
    expect(style(text)).toBe('');
  });

  it('drops one declaration and keeps the next', () => {
    expect(style('behavior:url(x);color:red;;x;:y;margin:0')).toBe('color:red;margin:0');
  });

  it.each([
    [
      "background:#222222 url('https://x.test/a') no-repeat center / cover",
      'background:#222222 no-repeat center/cover',
    ],
    ['background:url(x)', 'background:none'],
    ['background:src("http://x.test/a") #222', 'background:#222'],
    ['background:url(x),linear-gradient(red,blue) #222', 'background:none,linear-gradient(red,blue) #222'],
    ['background:#222 image-set("x" 1x,url(y) 2x)', 'background:#222'],
    ['background:#222 -webkit-image-set(url(x) 1x)!important', 'background:#222!important'],
    ['background:#222 cross-fade(url(x),url(y),50%)', 'background:#222'],
    ['background:#222 var(--x,url(y))', 'background:#222 var(--x,none)'],
    ['background-image:URL(x),none', 'background-image:none,none'],
    ['list-style:square inside url(x)', 'list-style:square inside'],
    ['list-style:url(x)', 'list-style:disc'],
    ['list-style-image:url(x)', 'list-style-image:none'],
    ['border-image:url(x) 30 round', 'border-image:none'],
    ['content:url(x) "a"', 'content:"a"'],
    ['content:url(x)', 'content:""'],
    ['cursor:url(x) 4 4,url(y),pointer', 'cursor:pointer'],
    ['cursor:url(x)', 'cursor:auto'],
    ['mask:url(x) no-repeat,linear-gradient(#000,#0000)', 'mask:no-repeat,linear-gradient(#000,#0000)'],
    ['filter:url(#a) blur(2px)', 'filter:blur(2px)'],
    ['--x:url(http://x.test/a) #222', '--x:#222'],
    ['color:var(--x,red)', 'color:var(--x,red)'],
  ])('keeps what is safe of %s', (text, kept) => {
    expect(style(text)).toBe(kept);
    expect(style(kept)).toBe(kept);
  });

  it('shows the pictures that its caller chooses, and only where a message shows pictures', () => {
    const shown = (text: string) => cleanStyleAttribute(text, (url) => `/own?${url}`).css;
    expect(shown('background:#222 url( "a" ),url(b) top')).toBe('background:#222 url(/own?a),url(/own?b)top');
    expect(shown('background-image:image-set("a" 1x,"b" 2x)')).toBe('background-image:url(/own?a)');
    expect(shown('--x:url(a);list-style:url(b);content:url(c)')).toBe(
      '--x:url(/own?a);list-style:url(/own?b);content:url(/own?c)',
    );
    expect(shown('cursor:url(a),help;filter:url(b);mask:url(c)')).toBe('cursor:help;filter:none;mask:none');
  });

  it('writes heights of the window as multiples of what a frame can set', () => {
    const once = style('min-height:calc(100vh - 2em);height:50dvh;width:10vw');
    expect(once).toBe(
      'min-height:calc(calc(var(--window-hundredth,1vh)*100) - 2em);height:calc(var(--window-hundredth,1vh)*50);width:10vw',
    );
    expect(style(once)).toBe(once);
  });

  it('counts what would have been loaded', () => {
    expect(inStyle('background:url(//x.test/a),url("https://x.test/b")')).toMatchObject({
      remoteContent: 2,
      remoteImages: 2,
    });
    expect(inStyle('background:image-set("http://x.test/a" 1x)').remoteContent).toBe(1);
    expect(inStyle('background:url(data:image/png;base64,AA)').remoteContent).toBe(0);
    expect(inStyle('content:"http://x.test"').remoteContent).toBe(0);
    expect(inStyle('behavior:url(http://x.test/a)')).toMatchObject({ remoteContent: 1, remoteImages: 0 });
    const loading = cleanStyleAttribute('background:url(http://x.test/a)', (url) => url);
    expect(loading).toMatchObject({ remoteContent: 0, remoteImages: 0 });
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
    '@supports (background:url(http://x.test)){p{color:red}}',
    '@supports (color:"</style>"){p{color:red}}',
    '@container (width > 1px) and style(--x:"<"){p{color:red}}',
    '@media screen{@font-face{src:url(http://x.test)}}',
    '@page{margin:0}',
    'p{behavior:url(http://x.test)}',
    'p::part(x){color:red}',
    ':host{color:red}',
    ':has(p){color:red}',
    'p[title="</style>"]{color:red}',
    'p:is(:host){color:red}',
  ])('drops %s', (text) => {
    expect(sheet(text)).toBe('');
  });

  it.each([
    [':root{--brand:#c00000}.a{color:var(--brand)}', ':root{--brand:#c00000}.a{color:var(--brand)}'],
    [
      '@supports (display:grid) and (not (gap:1px)){p{color:red}}',
      '@supports (display:grid) and (not (gap:1px)){p{color:red}}',
    ],
    ['@media (width <= 700px){p{color:red}}', '@media (width<=700px){p{color:red}}'],
    ['@media (400px<width<700px){p{color:red}}', '@media (400px< width< 700px){p{color:red}}'],
    [
      '@media (width>=1px){@supports (a:b){p{color:red}}}',
      '@media (width>=1px){@supports (a:b){p{color:red}}}',
    ],
    ['@layer a,b;@layer a{p{color:red}}', '@layer a,b;@layer a{p{color:red}}'],
    ['@container box (min-width:1px){p{color:red}}', '@container box (min-width:1px){p{color:red}}'],
    ['p{margin:0;& b{color:red;position:fixed}}', 'p{margin:0;& b{color:red}}'],
    [
      'td[id="main"],[id=a],[id^=b],[id~=c],[id|=d]{color:red}',
      'td[id="user-content-main"],[id=user-content-a],[id^=user-content-b],[id~=user-content-c],[id|=user-content-d]{color:red}',
    ],
    ['[id],[id$=a],[class=id]{color:red}', '[id],[id$=a],[class=id]{color:red}'],
    ['a[name=top]{color:red}', 'a[name=user-content-top]{color:red}'],
    ['p{background:#222 url(http://x.test) }', 'p{background:#222}'],
  ])('keeps %s', (text, kept) => {
    expect(sheet(text)).toBe(kept);
    expect(sheet(kept)).toBe(kept);
  });

  it('drops one selector of a list and keeps the others', () => {
    expect(sheet('p,:host,b{color:red}')).toBe('p,b{color:red}');
  });

  it('writes no less-than sign that could begin a tag', () => {
    for (const text of [
      'p{font-family:"<"}',
      '.a\\<b{color:red}',
      '@media (x:"<"){p{color:red}}',
      '@media (1px<width){p{color:red}}',
      '@media (width<\\2f style){p{color:red}}',
      '<p{color:red}',
    ]) {
      expect(sheet(text)).not.toMatch(/<(?![= ])/);
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
    expect(cleanStylesheet(text, noPicture).remoteContent).toBe(4);
  });

  it('takes linear time', () => {
    for (const piece of ['{', '(', '@media x{', 'a,', 'url(', '"', '/*', 'a{b:c}', ':not(', '[a', '\\']) {
      const text = piece.repeat(20_000 / piece.length);
      expect(
        cpuMsOf(() => cleanStylesheet(text, noPicture)),
        piece,
      ).toBeLessThan(2_000);
    }
  });
});
