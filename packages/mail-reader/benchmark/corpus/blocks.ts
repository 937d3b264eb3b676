// Renders a mail's blocks as plain text and as HTML in the styles of several mail builders.
import type { Kit } from './kit.ts';

export type Block =
  | { readonly kind: 'para'; readonly text: string }
  | { readonly kind: 'value'; readonly text: string; readonly large?: boolean }
  | { readonly kind: 'figure'; readonly value: string; readonly label: string; readonly above: boolean }
  | {
      readonly kind: 'rows';
      readonly rows: readonly (readonly [string, string])[];
      /** Whether values are as large as codes. */
      readonly large?: boolean;
    }
  | { readonly kind: 'button'; readonly text: string }
  | { readonly kind: 'quote'; readonly head: string; readonly lines: readonly string[] }
  /** Lines of one paragraph. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'footer'; readonly lines: readonly string[] }
  | { readonly kind: 'hidden'; readonly text: string }
  | { readonly kind: 'heading'; readonly text: string };

/** Marks what stands out within a sentence. */
export const mark = (text: string): string => `\u0001${text}\u0002`;

export function toText(blocks: readonly Block[], kit: Kit): string {
  const isTight = kit.chance(0.2);
  const parts = blocks.map((block) => textOf(block, kit)).filter((text) => text !== '');
  return `${parts.join(isTight ? '\n' : '\n\n').replaceAll(/[\u0001\u0002]/g, '')}\n`;
}

function textOf(block: Block, kit: Kit): string {
  switch (block.kind) {
    case 'para':
    case 'heading':
      return block.text;
    case 'value':
      return kit.chance(0.15) ? `    ${block.text}` : block.text;
    case 'figure':
      return block.above ? `${block.label}\n${block.value}` : `${block.value}\n${block.label}`;
    case 'rows':
      return block.rows.map(([label, value]) => `${label}: ${value}`).join('\n');
    case 'button':
      return `${block.text}: https://${kit.brand.toLowerCase().replace(/\W/g, '')}.example/v/${kit.signs(24, 'abcdef0123456789')}`;
    case 'quote':
      return [block.head, ...block.lines.map((line) => `> ${line}`)].join('\n');
    case 'lines':
      return block.lines.join('\n');
    case 'footer':
      return `${kit.chance(0.5) ? '-- \n' : ''}${block.lines.join('\n')}`;
    case 'hidden':
      return '';
  }
}

interface Look {
  readonly paragraph: (inner: string) => string;
  readonly large: (inner: string) => string;
  readonly figure: (inner: string) => string;
  readonly strong: (inner: string) => string;
  readonly page: (inner: string) => string;
  readonly small: (inner: string) => string;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

export function toHtml(blocks: readonly Block[], kit: Kit): string {
  const look = makeLook(kit);
  return look.page(blocks.map((block) => htmlOf(block, look, kit)).join('\n'));
}

function htmlOf(block: Block, look: Look, kit: Kit): string {
  const inline = (text: string): string =>
    escape(text).replace(/\u0001([^\u0002]*)\u0002/g, (_, inner: string) => look.strong(inner));
  switch (block.kind) {
    case 'para':
      return look.paragraph(inline(block.text));
    case 'heading':
      return kit.pick([
        `<h1>${inline(block.text)}</h1>`,
        `<h2 style="font-size:22px">${inline(block.text)}</h2>`,
      ]);
    case 'value':
      return block.large === false ? look.paragraph(escape(block.text)) : look.large(escape(block.text));
    case 'figure': {
      const [value, label] = [look.figure(escape(block.value)), look.small(escape(block.label))];
      return block.above ? label + value : value + label;
    }
    case 'rows':
      return rowsOf(block, kit);
    case 'button':
      return `<a href="https://click.example/${kit.signs(20, 'abcdef0123456789')}" style="display:inline-block;padding:12px 24px;background:#0a7c66;color:#fff">${escape(block.text)}</a>`;
    case 'quote':
      return `<div class="gmail_quote"><div>${escape(block.head)}</div><blockquote style="margin:0 0 0 .8ex;border-left:1px #ccc solid">${block.lines.map((line) => `<p>${escape(line)}</p>`).join('')}</blockquote></div>`;
    case 'lines':
      return look.paragraph(block.lines.map(escape).join('<br>\n'));
    case 'footer':
      return look.small(block.lines.map(escape).join('<br>'));
    case 'hidden':
      return `<div style="display:none;max-height:0;overflow:hidden">${escape(block.text)}</div>`;
  }
}

function rowsOf({ rows, large = false }: Extract<Block, { kind: 'rows' }>, kit: Kit): string {
  if (kit.chance(0.3)) {
    return `<p>${rows.map(([label, value]) => `${escape(label)}: <b>${escape(value)}</b>`).join('<br>')}</p>`;
  }
  const cells = rows.map(
    ([label, value]) =>
      `<tr><td>${escape(label)}</td><td align="right"${large ? ' style="font-size:28px"' : ''}>${escape(value)}</td></tr>`,
  );
  return `<table width="100%" cellpadding="6">${cells.join('')}</table>`;
}

const cell = (digit: string, px: number): string =>
  `<td style="width:40px;text-align:center;font-size:${px}px;border:1px solid #ccc">${digit}</td>`;

function makeLook(kit: Kit): Look {
  const { pick, chance, below } = kit;
  const px = pick([18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 40]);
  const figurePx = pick([18, 22, 24, 28, 32, 36, 40, 48]);
  const weight = chance(0.6) ? ';font-weight:700' : '';
  const spacing = chance(0.4) ? `;letter-spacing:${2 + below(8)}px` : '';
  const style = `font-size:${px}px${weight}${spacing}`;
  const box = chance(0.4) ? ';background:#f2f4f6;padding:16px;text-align:center' : ';text-align:center';
  const largeForms: ((inner: string) => string)[] = [
    (inner) => `<p style="${style}${box}">${inner}</p>`,
    (inner) => `<div style="${style}${box};font-family:Menlo,monospace">${inner}</div>`,
    (inner) =>
      `<table role="presentation" width="100%"><tr><td align="center" style="${style}">${inner}</td></tr></table>`,
    (inner) => `<h1 style="text-align:center">${inner}</h1>`,
    (inner) => `<h2>${inner}</h2>`,
    (inner) => `<p><strong>${inner}</strong></p>`,
    (inner) => `<p><span style="${style}">${inner}</span></p>`,
    (inner) => `<div class="code">${inner}</div>`,
    (inner) => `<p><b><font size="5">${inner}</font></b></p>`,
    (inner) => `<pre>${inner}</pre>`,
  ];
  const cells = (inner: string): string =>
    /^\d+$/.test(inner)
      ? `<table align="center"><tr>${[...inner].map((digit) => cell(digit, px)).join('')}</tr></table>`
      : (largeForms[0]?.(inner) ?? inner);
  const strongForms: ((inner: string) => string)[] = [
    (inner) => `<b>${inner}</b>`,
    (inner) => `<strong>${inner}</strong>`,
    (inner) => inner,
    (inner) => `<span style="font-size:20px;font-weight:bold">${inner}</span>`,
    (inner) => `<code>${inner}</code>`,
  ];
  const figureForms: ((inner: string) => string)[] = [
    (inner) => `<p style="font-size:${figurePx}px;font-weight:700;margin:0;text-align:center">${inner}</p>`,
    (inner) => `<div style="font-size:${figurePx}px${weight}">${inner}</div>`,
    (inner) =>
      `<table width="100%"><tr><td align="center" style="font-size:${figurePx}px">${inner}</td></tr></table>`,
    (inner) => `<h1>${inner}</h1>`,
    (inner) => `<div><span style="font-size:${figurePx}px;letter-spacing:4px">${inner}</span></div>`,
  ];
  return {
    paragraph: pick([
      (inner: string) => `<p style="margin:0 0 16px">${inner}</p>`,
      (inner: string) => `<p>${inner}</p>`,
      (inner: string) => `<div>${inner}</div><br>`,
      (inner: string) => `<tr><td style="padding:8px 0;font-size:16px">${inner}</td></tr>`,
    ]),
    large: chance(0.08) ? cells : pick(largeForms),
    figure: pick(figureForms),
    strong: pick(strongForms),
    small: pick([
      (inner: string) => `<p style="font-size:12px;color:#888">${inner}</p>`,
      (inner: string) => `<div style="font-size:14px">${inner}</div>`,
      (inner: string) => `<p>${inner}</p>`,
    ]),
    page: makePage(kit),
  };
}

function makePage(kit: Kit): (inner: string) => string {
  const head = `<head><meta charset="utf-8"><title>${escape(kit.brand)}</title><style>.code{font-size:30px}@media(max-width:480px){.w{width:100%!important}}</style></head>`;
  const year = kit.digits(8);
  return kit.pick([
    (inner: string) =>
      `<html>${head}<body style="margin:0;background:#f2f4f6"><table role="presentation" width="100%"><tr><td align="center"><table width="600"><tr><td style="padding:32px;font-size:16px">${inner}</td></tr></table></td></tr></table><img src="https://t.example/o/${year}.gif" width="1" height="1"></body></html>`,
    (inner: string) =>
      `<!doctype html><html>${head}<body><div style="max-width:560px;margin:auto;font-family:sans-serif;font-size:16px">${inner}</div></body></html>`,
    (inner: string) => inner,
    (inner: string) =>
      `<html>${head}<body><!--[if mso]><table width="600"><tr><td><![endif]--><table width="100%"><tr><td>${escape(kit.brand)}</td></tr><tr><td>${inner}</td></tr></table></body></html>`,
  ]);
}
