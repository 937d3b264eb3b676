// Rules about personalisation that was not filled in: placeholders of template languages, and what programs print for
// values that are not there.

import { type FindingPlace, inHeader, inSource, type Rated } from '../findings.ts';
import { SourceLines } from '../document/source-place.ts';
import type { HtmlDocument } from '../document/html-document.ts';
import type { MessageSubject } from './subject-of-rules.ts';

const placeholder: Rated = {
  rule: 'leftover/placeholder',
  severity: 'error',
  advice: 'Check that the template is rendered, and that the value’s name is spelt as the program gives it.',
};
const value: Rated = {
  rule: 'leftover/value',
  severity: 'error',
  advice: 'Give the value, or write the sentence so that it needs none.',
};
const noName: Rated = {
  rule: 'leftover/no-name',
  severity: 'warning',
  advice: 'Have a greeting for people whose name is not known.',
};
const filler: Rated = { rule: 'leftover/filler', severity: 'warning', advice: 'Replace the filler text.' };

/** Those of Handlebars, Jinja, Liquid, ERB, EJS, JavaScript, Mailchimp, Marketo, SendGrid, Sailthru and their like. */
const placeholders = new RegExp(
  [
    /\{\{[^{}\n]{0,200}\}\}|\{%[^{}\n%]{1,200}%\}|<%[^<>\n%]{0,200}%>|&lt;%[^<>\n%]{0,200}%&gt;|[$#]\{[^{}\n]{1,200}\}/,
    /\*\|[^*|\n]{1,100}\|\*|%%[A-Za-z_][^%\n]{0,60}%%|(?<!#)##[A-Za-z_][\w.-]{0,60}##(?!#)/,
    // Not the variables of Windows, as in a path.
    /(?<![%\w])%(?!(?:PATH|TE?MP|(?:LOCAL)?APPDATA|PROGRAM\w+|USERPROFILE|WINDIR|SYSTEM\w+|HOMEPATH)%)[A-Z][A-Z0-9_]{1,40}%(?![\w\\])/,
    // Not the links of wikis.
    /\[\[(?:(?:data|var):[^[\]\n]{1,60}|[a-z_][\w.]{0,60}|[A-Z_][A-Z0-9_]{1,60})\]\]/,
    /\[(?:(?:[A-Z]{2,12}[ _-]?)?NAME|EMAIL(?:[ _-]ADDRESS)?|(?:[Yy]our|[Cc]ompany|[Ff]irst|[Ll]ast|[Ff]ull|[Uu]ser)[ _-]?[Nn]ame)\]/,
    // Alone, and of a usual name: braces are also in code, in JSON and in sets.
    /(?<![\w{$#@/.-])\{(?:(?:first|last|full|user|customer|company|product)?[_ ]?[Nn]ame|FIRST_?NAME|NAME|e?mail|EMAIL|code|otp|link|url|amount|price|total|company|order_?(?:id|number)|password|username)\}(?![\w}])/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);
const values =
  /\[object Object\]|(?<![\w.-])undefined(?![\w-])(?!\s+(?:behaviou?r|variable|reference|function|index|method|symbol))(?!(?<=\b(?:is|are|was|were|be|left|remains?)\sundefined)\s+(?:in|for|when|if|by|until|as|at|on|unless)\b)|(?<![\w.-])NaN(?![\w-])|\bInvalid Date\b|(?<=[=/:(,]\s?|\b(?:[Hh]i|[Hh]ello|[Dd]ear|[Hh]ey|[Hh]allo|[Bb]onjour|[Hh]ola)\s)null(?=\s?(?:[,!.;:)&/?#]|$))|(?<=\b(?:[Hh]i|[Hh]ello|[Dd]ear|[Hh]ey)\s)None(?=\s?[,!.])/gm;
/** Quick to find; without any of these there are no values to look for. */
const suspicious = /undefined|null|NaN|None|Invalid Date|object Object/;
const noNames = /(?<![\p{L}])(?:hi|hello|dear|hey|hallo|bonjour|hola|ciao|liebe|lieber)\s{1,3},(?=\s|$)/giu;
const fillers = /\b[Ll]orem ipsum\b|\bTODO\b:?|\bFIXME\b|\bXXXX+\b/g;

const kinds = [
  { expression: placeholders, rated: placeholder, say: (found: string) => `“${found}” was not filled in.` },
  { expression: values, rated: value, say: (found: string) => `“${found}” stands where a value should.` },
  { expression: noNames, rated: noName, say: (found: string) => `The greeting “${found}” has no name.` },
  { expression: fillers, rated: filler, say: (found: string) => `The text still says “${found}”.` },
] as const;

export function checkLeftovers(subject: MessageSubject, document: HtmlDocument | undefined): void {
  const { subject: title, from, text, html } = subject.input;
  search(subject, title, () => inHeader('Subject', title));
  search(subject, from?.name ?? '', () => inHeader('From', from?.name ?? ''));
  const ranges = document === undefined ? [] : codeRanges(document);
  if (text !== null) {
    const lines = new SourceLines(text);
    const quoted = quotedIn(document?.html ?? '', ranges);
    const isCode = (at: number, found: string): boolean => text[at - 1] === '`' || quoted(found);
    search(subject, text, (at) => inSource('text', lines.placeOf(at)), isCode);
  }
  if (html !== null && document !== undefined) {
    const lines = new SourceLines(html);
    const isCode = (at: number): boolean => ranges.some(([from, to]) => from <= at && at < to);
    search(subject, maskMarkup(document), (at) => inSource('html', lines.placeOf(at)), isCode);
    searchAttributes(subject, document, (at) => inSource('html', lines.placeOf(at)));
  }
}

/** Code that a mail quotes is part of its subject, as in one about templates: such words are only mentioned. */
function search(
  { findings }: MessageSubject,
  text: string,
  toPlace: (at: number) => FindingPlace,
  isCode: (at: number, found: string) => boolean = () => false,
): void {
  for (const { expression, rated, say } of kinds) {
    if (expression === values && !suspicious.test(text)) continue;
    for (const found of text.matchAll(expression)) {
      const shown = isCode(found.index, found[0]) ? ({ ...rated, severity: 'info' } as const) : rated;
      findings.add(shown, say(found[0].replaceAll(/\s+/g, ' ').trim()), toPlace(found.index));
    }
  }
}

const searched = ['href', 'src', 'alt', 'title', 'content', 'value'];

/** In addresses, percent signs stand for characters too, so only names that cannot be such are placeholders. */
function searchAttributes(
  { findings }: MessageSubject,
  { elements }: HtmlDocument,
  toPlace: (at: number) => FindingPlace,
): void {
  for (const { attributes, attributeOffsets, offset = 0 } of elements) {
    for (const name of searched) {
      const text = attributes.get(name);
      if (text === undefined || text === '') continue;
      const place = (): FindingPlace => toPlace(attributeOffsets?.[name]?.startOffset ?? offset);
      for (const { expression, rated, say } of kinds.slice(0, 2)) {
        for (const [found] of text.matchAll(expression)) {
          if (/^%[0-9A-F]{2}/.test(found) && (name === 'href' || name === 'src')) continue;
          findings.add(rated, say(found), place());
        }
      }
    }
  }
}

const codes = new Set(['code', 'pre', 'kbd', 'samp', 'tt', 'var']);

type Range = readonly [from: number, to: number];

function codeRanges({ elements }: HtmlDocument): readonly Range[] {
  return elements.flatMap(({ name, offset, endOffset }) =>
    codes.has(name) && offset !== undefined && endOffset !== undefined ? [[offset, endOffset] as const] : [],
  );
}

/** Returns whether words are in the HTML's code and nowhere else in it: so they are in the text of the same mail. */
function quotedIn(html: string, ranges: readonly Range[]): (found: string) => boolean {
  if (ranges.length === 0) return () => false;
  const code = ranges.map(([from, to]) => html.slice(from, to)).join('\n');
  const countIn = (text: string, found: string): number => text.split(found).length;
  return (found) => code.includes(found) && countIn(code, found) === countIn(html, found);
}

const markup = /<!--[^]*?(?:-->|$)|<\/?[a-z][^>]*(?:>|$)|<![^>]*(?:>|$)/gi;
const unread = new Set(['style', 'script', 'textarea', 'noscript']);

/**
 * Returns the text of HTML in its place: all else is replaced by spaces, so that offsets stay those of the source.
 * Conditional comments are masked as well: only one program reads them.
 */
function maskMarkup({ html, elements }: HtmlDocument): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { name, offset, endOffset } of elements) {
    if (!unread.has(name) || offset === undefined || endOffset === undefined || offset < at) continue;
    pieces.push(html.slice(at, offset), blank(html.slice(offset, endOffset)));
    at = endOffset;
  }
  pieces.push(html.slice(at));
  return pieces.join('').replaceAll(markup, blank);
}

function blank(text: string): string {
  return text.includes('\n') ? text.replaceAll(/[^\n]/g, ' ') : ' '.repeat(text.length);
}
