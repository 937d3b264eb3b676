// Mail made to be costly: each is judged or refused within a bound of processor time, and none makes a report fail.

import { expect, it } from 'vitest';

import { cpuMsOf } from '../../../test/support/cpu-time.ts';
import { judge } from '../test/support/judge.ts';

const hostile: readonly string[] = [
  '<div>'.repeat(100_000),
  '<b><i><a href=x>'.repeat(20_000),
  '<table>'.repeat(50_000),
  `<p ${'a '.repeat(100_000)}>`,
  `<b ${'x=y '.repeat(2_000)}>${'<p>'.repeat(20_000)}`,
  '<a href="'.repeat(50_000),
  '<!--'.repeat(100_000),
  '<'.repeat(300_000),
  '&#x110000;&#0;&#xd800;'.repeat(10_000),
  `<style>${'a{'.repeat(100_000)}</style>`,
  `<style>${'div '.repeat(40)}x{color:red}</style>${'<div>'.repeat(900)}<x>`,
  `<style>${'div>*~div '.repeat(30)}x{color:red}</style>${'<div>'.repeat(900)}<x>`,
  `<style>${':not('.repeat(50_000)}a{}</style><a>`,
  `<style>${'p:has(p:has(p)) {color:red}'.repeat(500)}</style>${'<p>'.repeat(5_000)}`,
  `<style>${'p:nth-last-of-type(2n+1){color:red}'.repeat(100)}</style>${'<p>a</p>'.repeat(10_000)}`,
  `<style>${'.a,'.repeat(100_000)}.b{color:red}</style><p class=a>`,
  `<style>@media x{${'@media y{'.repeat(50_000)}</style>`,
  `<style>"${'\\41 '.repeat(100_000)}</style>`,
  `<style>a{b:url(${'x '.repeat(100_000)}</style>`,
  `<style>/*${'*'.repeat(300_000)}</style>`,
  `<p style="${'color:red;'.repeat(50_000)}">`,
  `<p style="${' '.repeat(300_000)}color">x`,
  `<p style="a${' :'.repeat(200_000)}">x`,
  `{{${'{{'.repeat(200_000)}`,
  '%A'.repeat(200_000),
  `[[a${'['.repeat(200_000)}`,
  `<a href="#">${'a.'.repeat(100_000)}</a>`,
  `<a href="http://${'a.'.repeat(100_000)}">x</a>`,
  `<a href="http://[::::::]">x</a><a href="http://a b">x</a><img src="http://\0">`,
  `<img src="cid:%E0%A4%A">${'cid:'.repeat(100_000)}`,
  '<svg><style><b></svg><math><annotation-xml encoding="text/html"><p>'.repeat(2_000),
  '<template>'.repeat(900) + 'x',
  '<html lang="' + 'a-'.repeat(100_000) + '">',
  '<frameset><frame></frameset><body>x',
  '\0\ud800<p>\udfff</p>',
  '',
];

it('judges markup made to be costly within a bound', () => {
  for (const html of hostile) {
    const cpuMs = cpuMsOf(() => {
      judge(html);
    });
    expect(cpuMs, html.slice(0, 60)).toBeLessThan(3_000);
  }
});
