// HTML as public templates of mailing tools have it: resets, conditional comments, style sheets with media queries, hidden
// preheaders, buttons, columns, receipts, footers. Each number gives another mixture, the same each time.

import { seededRandom } from './seeded-random.ts';

interface Random {
  /** Returns a whole number from 0 to `end` - 1. */
  int(end: number): number;
  pick<T>(all: readonly [T, ...T[]]): T;
}

export interface PublicTemplate {
  readonly subject: string;
  readonly html: string;
}

const doctypes: readonly [string, ...string[]] = [
  '<!DOCTYPE html>',
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">',
  '<!doctype html>',
  '',
];

const heads: readonly [string, ...string[]] = [
  '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Hello</title>',
  '<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="x-apple-disable-message-reformatting">' +
    '<!--[if mso]><noscript><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript><![endif]-->',
  '<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title></title>',
  '<link href="https://fonts.invalid/css?family=Lato:400,700" rel="stylesheet" type="text/css"><title>News</title>',
];

const sheets: readonly [string, ...string[]] = [
  // Resets of transactional templates.
  `/* -- GLOBAL RESETS -- */
  img { border: none; -ms-interpolation-mode: bicubic; max-width: 100%; }
  body { background-color: #f6f6f6; font-family: sans-serif; -webkit-font-smoothing: antialiased; font-size: 14px; line-height: 1.4; margin: 0; padding: 0; -ms-text-size-adjust: 100%; -webkit-text-size-adjust: 100%; }
  table { border-collapse: separate; mso-table-lspace: 0pt; mso-table-rspace: 0pt; width: 100%; }
  table td { font-family: sans-serif; font-size: 14px; vertical-align: top; }
  .container { display: block; margin: 0 auto !important; max-width: 580px; padding: 10px; width: 580px; }
  .btn table td { background-color: #ffffff; border-radius: 5px; text-align: center; }
  .btn a:hover { background-color: #34495e !important; border-color: #34495e !important; }
  .preheader { color: transparent; display: none; height: 0; max-height: 0; max-width: 0; opacity: 0; overflow: hidden; mso-hide: all; visibility: hidden; width: 0; }
  @media only screen and (max-width: 620px) { table[class=body] h1 { font-size: 28px !important; margin-bottom: 10px !important; } .container { padding: 0 !important; width: 100% !important; } }
  @media all { .ExternalClass { width: 100%; } .apple-link a { color: inherit !important; text-decoration: none !important; } }`,
  // A framework for columns.
  `#outlook a{padding:0;}body{margin:0;padding:0;-webkit-text-size-adjust:100%;}table,td{border-collapse:collapse;}img{border:0;height:auto;line-height:100%;outline:none;text-decoration:none;}p{display:block;margin:13px 0;}
  @media only screen and (min-width:480px) { .col-50 { width:50% !important; max-width: 50%; } .col-100 { width:100% !important; max-width: 100%; } }
  .moz-text-html .col-50 { width:50% !important; max-width: 50%; }`,
  `@import url('https://fonts.invalid/inter.css');
  @font-face { font-family: Inter; src: url(https://fonts.invalid/i.woff2) format("woff2"); }
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  * { box-sizing: border-box; } .u-row .u-col { min-height: 1px; } a:link, a:visited { color: #0055aa; }
  h1.title, h2.title > span { font-weight: bold; letter-spacing: -0.5px; text-transform: uppercase }
  td + td { padding-left: 1rem; } ul li:first-child { margin-top: 0 } tr:nth-child(2n+1) td { background: #fafafa }
  td:not(.keep) { word-break: break-word; } p ~ p { margin-top: calc(8px + 1vw); } a[href^="https"] { text-decoration: underline }
  @media (prefers-color-scheme: dark) { body, .card { background-color: #111 !important; color: #eee !important } }
  @supports (display: grid) { .grid { display: grid; } }
  @keyframes pulse { from { opacity: 0 } to { opacity: 1 } }
  .hero::before { content: "»"; } .hero:after { content: ""; clear: both }`,
  `.card{background:#fff url("https://img.invalid/bg.png") no-repeat;border:1px solid rgba(0,0,0,.1);box-shadow:0 2px 4px rgb(0 0 0 / 10%);border-radius:8px;padding:24px 32px}
  .flex{display:flex;gap:12px;align-items:center;justify-content:space-between}.muted{opacity:.7;color:rgb(90,90,90)}
  .hide{display:none}.right{float:right;text-align:right}#footer p,.small{font-size:12px;line-height:18px;color:#999999}
  td.pad{padding:10px;width:200px;height:40px}.cta{transition:all .3s;transform:scale(1);filter:none}.cta:active,.cta:focus{outline:2px solid}
  table.data th{position:relative;z-index:1;white-space:nowrap;vertical-align:middle}`,
];

type Block = (random: Random) => string;

const blocks: readonly [Block, ...Block[]] = [
  () =>
    '<span class="preheader" style="color: transparent; display: none; height: 0; max-height: 0; opacity: 0; overflow: hidden; mso-hide: all; visibility: hidden; width: 0;">Confirm your address to finish.</span>',
  (random) =>
    `<table role="presentation" border="0" cellpadding="0" cellspacing="0" class="body"><tr><td>&nbsp;</td><td class="container"><div class="content"><h1 class="title">Hello ${random.pick(['Ada', 'Grace', 'Linus'])}</h1><p>Thanks for signing up. Please confirm your address.</p></div></td><td>&nbsp;</td></tr></table>`,
  (random) =>
    `<table role="presentation" class="btn btn-primary"><tbody><tr><td align="center" bgcolor="#3498db" style="border-radius: ${random.int(12)}px;"><a href="https://shop.example/verify?t=${random.int(999_999)}" target="_blank" class="cta" style="display:inline-block; padding: 12px 25px; color: #ffffff; text-decoration: none; font-weight: bold">Confirm</a></td></tr></tbody></table>`,
  () =>
    '<!--[if mso]><v:roundrect xmlns:v="urn:schemas-microsoft-com:vml" href="https://shop.example" style="height:40px;width:200px;" arcsize="10%" fillcolor="#d62828"><center>Buy</center></v:roundrect><![endif]--><!--[if !mso]><!--><a href="https://shop.example" style="background-color:#d62828;border-radius:4px;color:#ffffff;display:inline-block;line-height:40px;text-align:center;width:200px;-webkit-text-size-adjust:none;">Buy</a><!--<![endif]-->',
  (random) =>
    `<div class="u-row" style="margin: 0 auto;min-width: 320px;max-width: 600px;overflow-wrap: break-word;background-color: #ffffff"><div class="u-col col-50" style="display:table-cell;vertical-align:top;width: 300px"><img src="https://img.invalid/${random.int(99)}.${random.pick(['png', 'gif', 'webp', 'svg', 'jpg'])}" alt="Goods" width="280" height="${random.int(300)}" style="outline:none;border:none"></div><div class="u-col col-50 right"><h2 class="title"><span>Two for one</span></h2><p class="muted">Only today!</p></div></div>`,
  (random) =>
    `<table class="data" width="100%" border="1" cellspacing="0"><thead><tr><th scope="col">Item</th><th>Price</th></tr></thead><tbody>${Array.from({ length: 1 + random.int(6) }, (_, at) => `<tr><td class="pad">Item ${at}</td><td align="right" style="padding:8px 0;text-align:right;">€${random.int(200)}.00</td></tr>`).join('')}</tbody></table><hr>`,
  () =>
    '<center><table align="center" border="0" cellpadding="0" cellspacing="0" height="100%" width="100%" id="bodyTable" background="https://img.invalid/t.png"><tr><td align="center" valign="top" id="bodyCell" style="padding:10px"><p style="font-size:16px;line-height:24px;margin:0 0 16px;color:#333">Your receipt is below.<p>Second paragraph</td></tr></table></center>',
  () =>
    '<article class="card"><header><h2>News</h2></header><section class="flex grid"><figure><img src="cid:logo" alt=""><figcaption>Logo</figcaption></figure></section><footer><a href="#top">Top</a> <mark>new</mark> <time datetime="2026-01-01">January</time></footer></article>',
  () =>
    '<form action="https://shop.example/rate"><input type="radio" name="r"><input type="text" required><select><option>1</option></select><textarea></textarea><button type="submit">Rate</button></form>',
  () =>
    '<picture><source srcset="https://img.invalid/a.webp" type="image/webp"><img src="https://img.invalid/a.png" usemap="#m" style="display:block;width:100%;max-width:600px"></picture><map name="m"><area href="https://shop.example/a"></map><svg width="10" height="10"><rect width="10" height="10"/></svg>',
  () =>
    '<ul style="margin:0;padding:0 0 0 20px;list-style-type:disc"><li>First<li style="MARGIN-TOP : 8px ; Font-Weight: 700!important">Second</ul><p style="background: linear-gradient(90deg, red, blue); width: calc(100% - 20px);; : ; color">Odd</p>',
  () =>
    '<div class="hero" style="background-image:url(\'https://img.invalid/h.jpg\');background-size:cover;background-position:center;text-shadow: 0 1px rgba(0,0,0,.5);"><p style="color:rgb(255,255,255);font:italic bold 16px/1.5 Georgia,serif;margin-inline-start:2rem">Hero</p></div>',
  () =>
    '<div id="footer"><p>Example Ltd, 1 Street</p><p class="small"><a href="https://shop.example/leave">Unsubscribe</a> | <a href="https://shop.example/web">View in browser</a></p><img src="https://img.invalid/o.gif" width="1" height="1"></div>',
  () =>
    '<script type="application/ld+json">{"@context":"http://schema.org"}</script><div><font color="#333333">Old <b>style</b></font><br clear="all"></div>',
];

export function publicTemplates(count: number, seed = 1): PublicTemplate[] {
  return Array.from({ length: count }, (_, at) => {
    const random = toRandom(seededRandom(seed * 100_003 + at));
    const some = <T>(all: readonly [T, ...T[]], most: number): T[] =>
      Array.from({ length: 1 + random.int(most) }, () => random.pick(all));
    const style = some(sheets, 3).map(
      (sheet) =>
        `<style type="text/css"${random.pick(['', '', ' media="all"', ' media="screen"'])}>${sheet}</style>`,
    );
    const body = some(blocks, 40).map((block) => block(random));
    const head = `<head>${some(heads, 2).join('')}${style.join('\n')}</head>`;
    const attributes = random.pick([
      '',
      ' style="margin:0;padding:0;background-color:#f4f4f4"',
      ' bgcolor="#eeeeee" class="body"',
    ]);
    const html = `<html${random.pick(['', ' lang="en"', ' xmlns="http://www.w3.org/1999/xhtml" lang="de" dir="ltr"'])}>`;
    const whole = `${random.pick(doctypes)}${html}${head}<body${attributes}>${body.join('\n')}</body></html>`;
    // Some are fragments, as programs send them.
    return { subject: `Template ${at}`, html: random.int(12) === 0 ? style.join('') + body.join('') : whole };
  });
}

function toRandom(next: () => number): Random {
  const int = (end: number): number => Math.floor(next() * end);
  return { int, pick: (all) => all[int(all.length)] ?? all[0] };
}
