// Whole mails with the constructs that the public templates of mailing tools share: columns that stack, heroes with a
// picture behind them, buttons of nested tables, hidden previews, code for one mail program alone, sliced pictures.
// For tests that a mail is laid out as its sender wrote it, and that what a person reads is what a model reads.

export interface NewsletterMail {
  readonly name: string;
  readonly html: string;
  /** Text that a browser shows. */
  readonly shown: readonly string[];
  /** Text that it does not, such as a preview for lists. */
  readonly hidden: readonly string[];
}

interface Look {
  readonly n: number;
  readonly doctype: string;
  readonly ink: string;
  readonly paper: string;
  readonly brand: string;
  readonly font: string;
  readonly title: string;
  readonly body: string;
  readonly action: string;
  readonly leave: string;
}

type Layout = (look: Look) => { readonly html: string; readonly hidden?: readonly string[] };

const strict = '<!doctype html>';
const transitional =
  '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">';
const loose = '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">';
const doctypes = [strict, transitional, '', loose, ''];
const fonts = [
  'Arial,Helvetica,sans-serif',
  "'Helvetica Neue',Helvetica,Arial,sans-serif",
  'Georgia,Times,serif',
  'Verdana,Geneva,sans-serif',
  'Ubuntu,Helvetica,Arial,sans-serif',
];
const colours = [
  ['#1a1a1a', '#ffffff', '#0b6e4f'],
  ['#333333', '#f4f5f7', '#3869d4'],
  ['#222222', '#fafafa', '#c00000'],
  ['#51545e', '#f2f4f6', '#22bc66'],
  ['#000000', '#eeeeee', '#7b2d8b'],
] as const;
const words = [
  [
    'Walks through Lisbon',
    'Three routes for a long weekend, none of them steep.',
    'See the routes',
    'Unsubscribe',
  ],
  [
    'Bestätigen Sie Ihre Adresse',
    'Der Link gilt eine Stunde und nur einmal.',
    'Adresse bestätigen',
    'Abbestellen',
  ],
  [
    'Votre commande est partie',
    'Elle arrive mardi entre neuf heures et midi.',
    'Suivre le colis',
    'Se désabonner',
  ],
  ['Ваш счёт за март', 'Оплатите до пятнадцатого числа, чтобы не потерять скидку.', 'Оплатить', 'Отписаться'],
  ['أهلا بك في المتجر', 'اختر لغتك وابدأ التسوق الآن.', 'ابدأ', 'إلغاء الاشتراك'],
] as const;

const picture = (width: number, height: number, alt = ''): string =>
  `<img src="https://cdn.shop.example/${width}x${height}.png" width="${width}" height="${height}" alt="${alt}" border="0" style="display:block;border:0;outline:none;text-decoration:none">`;

/** Outlook's own markup, which browsers take for a comment. */
const ghost = (html: string): string => `<!--[if mso | IE]>${html}<![endif]-->`;

const layouts: Readonly<Record<string, Layout>> = {
  // Columns as inline blocks that stack by a media query, a section with a picture behind it.
  columns: ({ doctype, ink, paper, brand, font, title, body, action, leave }) => ({
    hidden: ['A preview for lists'],
    html: `${doctype}<html lang="en" dir="auto" xmlns="http://www.w3.org/1999/xhtml" xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"><head><title></title>
<meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<style type="text/css">#outlook a{padding:0}body{margin:0;padding:0;-webkit-text-size-adjust:100%;-ms-text-size-adjust:100%}table,td{border-collapse:collapse;mso-table-lspace:0pt;mso-table-rspace:0pt}img{border:0;height:auto;line-height:100%;outline:none;text-decoration:none;-ms-interpolation-mode:bicubic}p{display:block;margin:13px 0}</style>
${ghost('<noscript><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings></xml></noscript>')}
<link href="https://fonts.shop.example/css?family=Ubuntu" rel="stylesheet" type="text/css"><style type="text/css">@import url(https://fonts.shop.example/css?family=Ubuntu);</style>
<style type="text/css">@media only screen and (min-width:480px){.column-50{width:50%!important;max-width:50%}.column-100{width:100%!important;max-width:100%}}</style>
<style media="screen and (min-width:480px)">.moz-text-html .column-50{width:50%!important;max-width:50%}</style>
<style type="text/css">@media only screen and (max-width:479px){table.full{width:100%!important}td.full{width:auto!important}}</style></head>
<body style="word-spacing:normal;background-color:${paper}"><div style="display:none;font-size:1px;color:#ffffff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden">A preview for lists</div>
<div style="background-color:${paper}" lang="en" dir="auto">${ghost('<table align="center" border="0" width="600"><tr><td>')}
<div style="background:${brand} url('https://cdn.shop.example/hero.jpg') center top / cover no-repeat;background-position:center top;background-repeat:no-repeat;background-size:cover;margin:0px auto;max-width:600px">
<div style="line-height:0;font-size:0"><table align="center" background="https://cdn.shop.example/hero.jpg" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:${brand} url('https://cdn.shop.example/hero.jpg') center top / cover no-repeat;width:100%"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center">
<div class="column-100" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="vertical-align:top" width="100%"><tbody><tr><td align="center" style="font-size:0px;padding:10px 25px;word-break:break-word"><div style="font-family:${font};font-size:28px;line-height:1;text-align:center;color:#ffffff">${title}</div></td></tr></tbody></table></div></td></tr></tbody></table></div></div>
<div style="background:#ffffff;margin:0px auto;max-width:600px"><table align="center" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background:#ffffff;width:100%"><tbody><tr><td style="direction:ltr;font-size:0px;padding:20px 0;text-align:center">
${[body, leave].map((text) => `<div class="column-50" style="font-size:0px;text-align:left;direction:ltr;display:inline-block;vertical-align:top;width:100%"><table border="0" cellpadding="0" cellspacing="0" width="100%"><tbody><tr><td align="left" style="font-size:0px;padding:10px 25px;word-break:break-word"><div style="font-family:${font};font-size:13px;line-height:22px;text-align:left;color:${ink}">${text}</div></td></tr><tr><td align="center" vertical-align="middle" style="font-size:0px;padding:10px 25px"><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="border-collapse:separate;line-height:100%"><tbody><tr><td align="center" bgcolor="${brand}" role="presentation" style="border:none;border-radius:3px;cursor:auto;mso-padding-alt:10px 25px;background:${brand}" valign="middle"><a href="https://shop.example/go" style="display:inline-block;background:${brand};color:#ffffff;font-family:${font};font-size:13px;font-weight:normal;line-height:120%;margin:0;text-decoration:none;text-transform:none;padding:10px 25px;mso-padding-alt:0px;border-radius:3px" target="_blank">${action}</a></td></tr></tbody></table></td></tr></tbody></table></div>`).join('')}
</td></tr></tbody></table></div></div></body></html>`,
  }),
  // Transactional: classes in the head, dark colours by media query, a masthead, a box of attributes.
  receipt: ({ doctype, ink, paper, brand, font, title, body, action, leave, n }) => ({
    hidden: ['Thanks for the order'],
    html: `${doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head><meta name="viewport" content="width=device-width, initial-scale=1.0" /><meta name="x-apple-disable-message-reformatting" /><meta name="color-scheme" content="light" />
<title></title><style type="text/css" rel="stylesheet" media="all">@import url("https://fonts.shop.example/css?family=Nunito+Sans:400,700&display=swap");
body{width:100%!important;height:100%;margin:0;-webkit-text-size-adjust:none}a{color:${brand}}a img{border:none}td{word-break:break-word}
.preheader{display:none!important;visibility:hidden;mso-hide:all;font-size:1px;line-height:1px;max-height:0;max-width:0;opacity:0;overflow:hidden}
body,td,th{font-family:"Nunito Sans",${font}}h1{margin-top:0;color:#333333;font-size:22px;font-weight:bold;text-align:left}td,th{font-size:16px}p,ul,ol,blockquote{margin:.4em 0 1.1875em;font-size:16px;line-height:1.625}p.sub{font-size:13px}
.align-center{text-align:center}.button{background-color:${brand};border-top:10px solid ${brand};border-right:18px solid ${brand};border-bottom:10px solid ${brand};border-left:18px solid ${brand};display:inline-block;color:#FFF;text-decoration:none;border-radius:3px;box-shadow:0 2px 3px rgba(0,0,0,.16);-webkit-text-size-adjust:none;box-sizing:border-box}
@media only screen and (max-width:500px){.button{width:100%!important;text-align:center!important}}
.attributes_content{background-color:#F4F4F7;padding:16px}.attributes_item{padding:0}.email-wrapper{width:100%;margin:0;padding:0;background-color:${paper}}.email-masthead{padding:25px 0;text-align:center}.email-masthead_name{font-size:16px;font-weight:bold;color:#A8AAAF;text-decoration:none;text-shadow:0 1px 0 white}.email-body_inner{width:570px;margin:0 auto;padding:0;background-color:#FFFFFF}.content-cell{padding:45px}.body-sub{margin-top:25px;padding-top:25px;border-top:1px solid #EAEAEC}
.purchase{width:100%;margin:0;padding:35px 0}.purchase_item{padding:10px 0;color:${ink};font-size:15px;line-height:18px}.purchase_footer{padding-top:15px;border-top:1px solid #EAEAEC}
@media only screen and (max-width:600px){.email-body_inner,.email-footer{width:100%!important}}
@media (prefers-color-scheme:dark){body,.email-body_inner{background-color:#333333!important;color:#FFF!important}p,h1,span{color:#FFF!important}}
:root{color-scheme:light;supported-color-schemes:light dark}</style><!--[if mso]><style type="text/css">.f-fallback{font-family:Arial,sans-serif}</style><![endif]--></head>
<body><span class="preheader">Thanks for the order</span><table class="email-wrapper" width="100%" cellpadding="0" cellspacing="0" role="presentation"><tr><td align="center"><table class="email-content" width="100%" cellpadding="0" cellspacing="0" role="presentation"><tr><td class="email-masthead"><a href="https://shop.example" class="f-fallback email-masthead_name">Shop ${n}</a></td></tr>
<tr><td class="email-body" width="570" cellpadding="0" cellspacing="0"><table class="email-body_inner" align="center" width="570" cellpadding="0" cellspacing="0" role="presentation"><tr><td class="content-cell"><div class="f-fallback"><h1>${title}</h1><p>${body}</p>
<table class="attributes" width="100%" cellpadding="0" cellspacing="0"><tr><td class="attributes_content"><table width="100%"><tr><td class="attributes_item"><strong>Amount due:</strong> 42,00</td></tr><tr><td class="attributes_item"><strong>Order:</strong> ${1000 + n}</td></tr></table></td></tr></table>
<table class="body-action" align="center" width="100%"><tr><td align="center"><a href="https://shop.example/pay" class="f-fallback button" target="_blank">${action}</a></td></tr></table>
<table class="purchase" width="100%" cellpadding="0" cellspacing="0"><tr><th align="left"><p class="f-fallback">Description</p></th><th align="right"><p>Amount</p></th></tr><tr><td width="80%" class="purchase_item"><span>Headphones</span></td><td width="20%" align="right" class="purchase_item">40,00</td></tr><tr><td class="purchase_footer" valign="middle"><p>Total</p></td><td class="purchase_footer" align="right"><p>42,00</p></td></tr></table>
<table class="body-sub"><tr><td><p class="sub">${leave}</p></td></tr></table></div></td></tr></table></td></tr></table></td></tr></table></body></html>`,
  }),
  // A table as high as the window, rules by id, block after block.
  blocks: ({ doctype, ink, paper, brand, font, title, body, action, leave }) => ({
    hidden: ['*|MC_PREVIEW_TEXT|*'],
    html: `${doctype}<html xmlns="http://www.w3.org/1999/xhtml"><head>${ghost('<xml><o:AllowPNG/></xml>')}<meta charset="UTF-8"><meta http-equiv="X-UA-Compatible" content="IE=edge"><title>*|SUBJECT|*</title>
<style type="text/css">p{margin:10px 0;padding:0}table{border-collapse:collapse}h1,h2,h3{display:block;margin:0;padding:0}img,a img{border:0;height:auto;outline:none;text-decoration:none}body,#bodyTable,#bodyCell{height:100%;margin:0;padding:0;width:100%}
.mcnPreviewText{display:none!important}#outlook a{padding:0}.ReadMsgBody{width:100%}.ExternalClass{width:100%}p,a,li,td,blockquote{mso-line-height-rule:exactly}a[href^=tel],a[href^=sms]{color:inherit;cursor:default;text-decoration:none}a[x-apple-data-detectors]{color:inherit!important}
#bodyCell{padding:10px}.templateContainer{max-width:600px!important}table[id="templateHeader"]{background-color:${brand}}body,#bodyTable{background-color:${paper}}#bodyCell{border-top:0}h1{color:#ffffff;font-family:${font};font-size:26px;line-height:125%}
#templateBody .mcnTextContent,#templateBody .mcnTextContent p{color:${ink};font-family:${font};font-size:16px;line-height:150%;text-align:left}#templateFooter{background-color:#fafafa;border-top:2px solid ${brand}}#templateFooter .mcnTextContent{color:#656565;font-size:12px;text-align:center}
@media only screen and (max-width:480px){body,table,td,p,a,li,blockquote{-webkit-text-size-adjust:none!important}.mcnImage{width:100%!important}.templateContainer{width:100%!important}}</style></head>
<body><span class="mcnPreviewText" style="display:none;font-size:0px;line-height:0px;max-height:0px;max-width:0px;opacity:0;overflow:hidden;visibility:hidden;mso-hide:all">*|MC_PREVIEW_TEXT|*</span>
<center><table align="center" border="0" cellpadding="0" cellspacing="0" height="100%" width="100%" id="bodyTable"><tr><td align="center" valign="top" id="bodyCell"><table border="0" cellpadding="0" cellspacing="0" width="100%" class="templateContainer">
<tr><td valign="top"><table id="templateHeader" width="100%"><tr><td style="padding:9px 18px">${picture(180, 40, 'Shop')}<h1>${title}</h1></td></tr></table></td></tr>
<tr><td valign="top" id="templateBody"><table border="0" cellpadding="0" cellspacing="0" width="100%" class="mcnTextBlock" style="min-width:100%"><tbody class="mcnTextBlockOuter"><tr><td valign="top" class="mcnTextBlockInner" style="padding-top:9px"><table align="left" border="0" cellpadding="0" cellspacing="0" style="max-width:100%;min-width:100%" width="100%" class="mcnTextContentContainer"><tbody><tr><td valign="top" class="mcnTextContent" style="padding:0 18px 9px"><p>${body}</p><ul><li>Free to return</li><li>Sent on Tuesday</li></ul></td></tr></tbody></table></td></tr></tbody></table>
<table class="mcnButtonBlock" width="100%"><tr><td align="center" style="padding:0 18px 18px"><table style="border-collapse:separate!important;border-radius:3px;background-color:${brand}"><tr><td align="center" valign="middle" style="font-family:Arial;font-size:16px;padding:18px"><a title="Buy" href="https://shop.example/" target="_blank" style="font-weight:bold;letter-spacing:normal;line-height:100%;text-align:center;text-decoration:none;color:#FFFFFF">${action}</a></td></tr></table></td></tr></table></td></tr>
<tr><td valign="top" id="templateFooter"><table width="100%"><tr><td class="mcnTextContent" style="padding:9px 18px"><em>Copyright, all rights reserved.</em><br><br><a href="https://shop.example/leave">${leave}</a></td></tr></table></td></tr></table></td></tr></table></center></body></html>`,
  }),
  // A letter from a word processor: its own classes, a page rule, list marks as text.
  letter: ({ doctype, ink, brand, title, body, action, leave }) => ({
    html: `${doctype}<html xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40"><head><meta name=Generator content="Microsoft Word 15 (filtered medium)"><!--[if !mso]><style>v\\:* {behavior:url(#default#VML);}o\\:* {behavior:url(#default#VML);}</style><![endif]--><style><!--
/* Font Definitions */
@font-face{font-family:"Cambria Math";panose-1:2 4 5 3 5 4 6 3 2 4;}
@font-face{font-family:Calibri;panose-1:2 15 5 2 2 2 4 3 2 4;}
/* Style Definitions */
p.MsoNormal,li.MsoNormal,div.MsoNormal{margin:0cm;margin-bottom:.0001pt;font-size:11.0pt;font-family:"Calibri",sans-serif;mso-fareast-language:EN-US;}
a:link,span.MsoHyperlink{mso-style-priority:99;color:#0563C1;text-decoration:underline;}
p.MsoListParagraph{mso-style-priority:34;margin-top:0cm;margin-right:0cm;margin-bottom:0cm;margin-left:36.0pt;font-size:11.0pt;font-family:"Calibri",sans-serif;}
span.EmailStyle18{mso-style-type:personal-compose;font-family:"Calibri",sans-serif;color:windowtext;}
@page WordSection1{size:612.0pt 792.0pt;margin:70.85pt 70.85pt 2.0cm 70.85pt;}
div.WordSection1{page:WordSection1;}
--></style></head><body lang=EN-GB link="#0563C1" vlink="#954F72" style='word-wrap:break-word'><div class=WordSection1><p class=MsoNormal><b><span style='color:${brand}'>${title}</span></b><o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal><span lang=EN-US style='color:${ink};mso-fareast-language:EN-GB'>${body}<o:p></o:p></span></p>
<p class=MsoListParagraph style='text-indent:-18.0pt;mso-list:l0 level1 lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>·<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp;&nbsp;&nbsp; </span></span></span><![endif]>First of all<o:p></o:p></p>
<table class=MsoTableGrid border=1 cellspacing=0 cellpadding=0 style='border-collapse:collapse;border:none'><tr><td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt;padding:0cm 5.4pt 0cm 5.4pt'><p class=MsoNormal>${action}<o:p></o:p></p></td><td width=301 valign=top style='width:225.4pt;border:solid windowtext 1.0pt;border-left:none;padding:0cm 5.4pt 0cm 5.4pt'><p class=MsoNormal><a href="https://shop.example/">${leave}</a><o:p></o:p></p></td></tr></table></div></body></html>`,
  }),
  // Pictures cut from one drawing, without a gap.
  slices: ({ doctype, n, title, leave }) => ({
    html: `${doctype}<html><body bgcolor="#112233" text="#ffffff" link="#ffff00" leftmargin="0" topmargin="0" marginwidth="0" marginheight="0"><table width="600" border="0" cellpadding="0" cellspacing="0" align="center">
${[0, 1, 2]
  .map(
    (row) =>
      `<tr>${[0, 1, 2].map((column) => `<td><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7" width="200" height="${20 + 7 * ((row + n) % 4)}" border="0"${column === 1 ? ' style="display:block"' : ''}></td>`).join('')}</tr>`,
  )
  .join(
    '',
  )}<tr><td colspan="3" align="center"><font face="Verdana" size="2">${title}<br><a href="#leave">${leave}</a></font></td></tr></table><a name="leave"></a></body></html>`,
  }),
  // Old HTML alone: bgcolor, background, font, align, nested tables, quirks.
  old: ({ doctype, brand, title, body, action, leave }) => ({
    html: `${doctype}<html><head><title>x</title></head><body bgcolor="#f0f0e8" text="#333366" link="${brand}" background="https://cdn.shop.example/paper.gif"><center><font face="Arial" size="5" color="${brand}"><b>${title}</b></font><hr width="80%" size="1" noshade><p><table border="1" bordercolor="#cccccc" cellpadding="6" cellspacing="2" width="560" bgcolor="white" background="https://cdn.shop.example/t.gif"><tr><td valign="top" nowrap><font size="-1">${action}</font></td><td align="right" bgcolor="#ffffcc"><font color="red">${body}</font></td></tr><tr valign="bottom"><td height="60" colspan="2"><ul type="square"><li>One</li><li>Two</li></ul></td></tr></table></p><p align="right">${leave}<br clear="all"><img src="https://cdn.shop.example/a.gif" width="90" height="30" hspace="5" vspace="3" align="left" alt="Logo">after the picture</center></body></html>`,
  }),
  // New CSS: variables, conditions, ranges, layers.
  modern: ({ doctype, ink, paper, brand, font, title, body, action, leave }) => ({
    html: `${doctype}<html class="no-js" lang="en"><head><style>:root{--brand:${brand};--gap:16px;--ink:${ink}}*{box-sizing:border-box}body{margin:0;background:${paper};color:var(--ink);font:16px/1.5 ${font}}
body>main{max-width:36rem;margin-inline:auto;padding:calc(var(--gap)*2) var(--gap)}main>h1:first-child{color:var(--brand);margin-block:0 var(--gap)}@supports (display:grid){.grid{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:var(--gap)}}@supports not (display:grid){.grid{width:9px}}
@media (width <= 900px){.card{border:1px solid color-mix(in srgb,var(--brand) 50%,white);border-radius:8px;padding:var(--gap,4px)}}@media (100px<=width<=400px){.card{padding:0}}@layer base{a{color:var(--brand)}}.cta{display:inline-block;background:linear-gradient(90deg,var(--brand),#000);color:#fff;padding:.75em 1.25em;border-radius:999px;text-decoration:none}
.note::before{content:"→ ";color:var(--brand)}[id="foot"]{font-size:clamp(11px,2vw,13px)}.card{& b{letter-spacing:.05em}}</style></head><body class="mail"><main><h1>${title}</h1><div class="grid"><div class="card"><b>One</b><p>${body}</p></div><div class="card"><b>Two</b><p class="note">${action}</p></div></div><p><a class="cta" href="https://shop.example/">${action}</a></p><p id="foot">${leave}</p></main></body></html>`,
  }),
  // A fragment, as a person's mail program writes it.
  note: ({ brand, title, body, leave, n }) => ({
    html: `<div dir="ltr"><div>${title}</div><div><br></div><div>${body}</div><ol><li>${leave}</li><li><a href="https://shop.example/${n}">shop.example</a></li></ol><div><b style="background-color:#ffff00;color:${brand}">Important</b> <i>and</i> <u>underlined</u></div></div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Tue, Ann wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><pre>  ${title}\n    kept as typed</pre></blockquote></div>`,
  }),
  // A code in a box, centred by auto margins, on a coloured body without a margin.
  code: ({ doctype, paper, brand, font, title, body, leave, n }) => ({
    html: `${doctype}<html><head><meta charset="utf-8"><style>body.mail td.main{padding:32px}.code{letter-spacing:8px;font-size:32px;font-weight:700;background:#f4f4f4;border-radius:8px;padding:16px;text-align:center}ul.plain{list-style:square inside url(https://cdn.shop.example/dot.gif)}</style></head><body class="mail" bgcolor="${brand}" style="margin:0;padding:0;background:${brand} url(https://cdn.shop.example/bg.png) repeat-x"><table width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:24px 0"><table width="480" cellpadding="0" cellspacing="0" style="background:${paper};font-family:${font}"><tr><td class="main"><h2 style="margin:0 0 16px">${title}</h2><div class="code">${482900 + n}</div><p>${body}</p><ul class="plain"><li>${leave}</li></ul></td></tr></table></td></tr></table></body></html>`,
  }),
  // A card of divs with shadows, offsets and pseudo-elements.
  card: ({ doctype, ink, paper, brand, font, title, body, action, leave }) => ({
    html: `${doctype}<html><head><style type="text/css">body{background-color:${paper};padding:20px}div.card{max-width:520px;margin:0 auto;background:#fff;box-shadow:0 1px 4px rgba(0,0,0,.2);border-top:4px solid ${brand};position:relative;font-family:${font};color:${ink}}.card>.inner{padding:24px}.badge{position:relative;top:-12px;left:8px;background:${brand};color:#fff;padding:2px 8px;font-size:12px}.row:after{content:"";display:table;clear:both}.row .left{float:left;width:60%}.row .right{float:right;width:35%;text-align:right}table.data tr:nth-child(even) td{background:#f6f6f6}table.data td{border-bottom:1px solid #ddd;padding:6px}</style></head><body><div class="card"><span class="badge">New</span><div class="inner"><h3>${title}</h3><div class="row"><div class="left">${body}</div><div class="right">${action}</div></div><table class="data" width="100%"><tr><td>a</td><td>1</td></tr><tr><td>b</td><td>2</td></tr><tr><td>c</td><td>3</td></tr></table><p style="text-align:center;font-size:11px;color:#888">${leave}</p></div></div></body></html>`,
  }),
  // Buttons and pictures of a drag-and-drop builder, with rules for one narrow screen.
  builder: ({ doctype, ink, brand, font, title, body, action, leave }) => ({
    html: `${doctype}<html dir="ltr"><head><style>*{box-sizing:border-box}body{margin:0;padding:0}a[x-apple-data-detectors]{color:inherit!important;text-decoration:inherit!important}#MessageViewBody a{color:inherit;text-decoration:none}p{line-height:inherit}.desktop_hide,.desktop_hide table{mso-hide:all;display:none;max-height:0px;overflow:hidden}.image_block img+div{display:none}@media (max-width:700px){.desktop_hide table.icons-inner{display:inline-block!important}.row-content{width:100%!important}.mobile_hide{display:none}.stack .column{width:100%;display:block}}</style></head><body class="body" style="background-color:#f9f9f9;margin:0;padding:0;-webkit-text-size-adjust:none;text-size-adjust:none"><table class="nl-container" width="100%" border="0" cellpadding="0" cellspacing="0" role="presentation" style="background-color:#f9f9f9"><tbody><tr><td><table class="row row-1" align="center" width="100%" border="0" cellpadding="0" cellspacing="0"><tbody><tr><td><table class="row-content stack" align="center" border="0" cellpadding="0" cellspacing="0" style="background-color:#fff;color:#000;border-radius:0;width:680px;margin:0 auto" width="680"><tbody><tr><td class="column column-1" width="50%" style="padding-bottom:5px;padding-top:5px;vertical-align:top;border:0"><table class="image_block" width="100%"><tr><td class="pad" style="width:100%;padding:10px"><div class="alignment" align="center"><div style="max-width:204px">${picture(204, 60, 'Picture')}</div></div></td></tr></table></td><td class="column column-2" width="50%" style="vertical-align:top;border:0"><div style="font-family:${font};font-size:14px;color:${ink};line-height:1.5;padding:10px"><h1 style="margin:0;color:${brand};font-size:23px;line-height:120%">${title}</h1><p style="margin:0;margin-bottom:16px">${body}</p><div class="alignment" align="center"><a href="https://shop.example" target="_blank" style="background-color:${brand};border-bottom:0px solid transparent;border-radius:4px;color:#fff;display:inline-block;font-size:16px;padding:5px 20px;text-decoration:none;width:auto;word-break:keep-all"><span style="word-break:break-word;line-height:32px">${action}</span></a></div></div></td></tr></tbody></table></td></tr></tbody></table><table class="divider_block" width="100%"><tr><td style="font-size:1px;line-height:1px;border-top:1px solid #dddddd"><span>&#8202;</span></td></tr></table><p style="text-align:center;color:#777;font-size:12px">${leave}</p></td></tr></tbody></table></body></html>`,
  }),
  // Sections one after the other in a table of percentages, with a rule for every cell and a spacer.
  sections: ({ doctype, ink, paper, brand, font, title, body, action, leave }) => ({
    html: `${doctype}<html><head><style>table{width:100%;border-spacing:0}td{padding:0}@media screen and (min-width:601px){.two .col{max-width:300px!important}}.wrapper{width:100%;table-layout:fixed;background-color:${paper};padding-bottom:60px}.main{background-color:#ffffff;margin:0 auto;width:100%;max-width:600px;border-spacing:0;font-family:${font};color:${ink}}.two{text-align:center;font-size:0}.two .col{width:100%;max-width:300px;display:inline-block;vertical-align:top;text-align:center}.btn{background-color:${brand};color:#ffffff!important;text-decoration:none;padding:12px 20px;font-weight:bold;border-radius:5px}</style></head><body><center class="wrapper"><table class="main" width="100%"><tr><td height="8" style="background-color:${brand};line-height:8px;font-size:8px">&nbsp;</td></tr><tr><td style="padding:20px 0 0 20px"><h2 style="font-size:20px">${title}</h2></td></tr><tr><td><table width="100%"><tr><td class="two" style="padding:20px"><table class="col"><tr><td style="font-size:15px;line-height:20px;padding:0 20px 20px">${body}</td></tr></table><table class="col"><tr><td style="font-size:15px;padding:0 20px 20px">${picture(100, 40)}</td></tr></table></td></tr></table></td></tr><tr><td style="padding:15px;text-align:center"><a class="btn" href="https://shop.example/">${action}</a></td></tr><tr><td style="background:#252525;color:#ffffff;padding:20px;font-size:12px;text-align:center"><p>${leave}</p></td></tr></table></center></body></html>`,
  }),
};

/** Sixty: each layout in five languages, with different doctypes, colours and fonts. */
export function newsletterMails(): NewsletterMail[] {
  return Object.entries(layouts).flatMap(([name, layout], row) =>
    words.map(([title, body, action, leave], n) => {
      const at = (row + n) % words.length;
      const [ink, paper, brand] = colours[at]!;
      const look = {
        n,
        doctype: doctypes[at]!,
        font: fonts[n]!,
        ink,
        paper,
        brand,
        title,
        body,
        action,
        leave,
      };
      const { html, hidden = [] } = layout(look);
      const shown = [title, body, action, leave].filter((text) => html.includes(text));
      return { name: `${name} ${n}`, html, shown, hidden };
    }),
  );
}
