// Decodes HTML character references. Used by the HTML scanner for text and attribute values. Knows the names that mail
// uses; others are left unchanged.

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  sbquo: '‚',
  bdquo: '„',
  bull: '•',
  middot: '·',
  euro: '€',
  pound: '£',
  yen: '¥',
  cent: '¢',
  deg: '°',
  times: '×',
  hyphen: '-',
  zwnj: '',
  zwj: '',
  shy: '',
  lrm: '',
  rlm: '',
  ensp: ' ',
  emsp: ' ',
  thinsp: ' ',
  numsp: ' ',
  iexcl: '¡',
  iquest: '¿',
  agrave: 'à',
  aacute: 'á',
  acirc: 'â',
  atilde: 'ã',
  auml: 'ä',
  aring: 'å',
  aelig: 'æ',
  ccedil: 'ç',
  egrave: 'è',
  eacute: 'é',
  ecirc: 'ê',
  euml: 'ë',
  igrave: 'ì',
  iacute: 'í',
  icirc: 'î',
  iuml: 'ï',
  ntilde: 'ñ',
  ograve: 'ò',
  oacute: 'ó',
  ocirc: 'ô',
  otilde: 'õ',
  ouml: 'ö',
  oslash: 'ø',
  ugrave: 'ù',
  uacute: 'ú',
  ucirc: 'û',
  uuml: 'ü',
  yacute: 'ý',
  szlig: 'ß',
  Agrave: 'À',
  Aacute: 'Á',
  Acirc: 'Â',
  Auml: 'Ä',
  Ccedil: 'Ç',
  Egrave: 'È',
  Eacute: 'É',
  Ecirc: 'Ê',
  Iacute: 'Í',
  Ntilde: 'Ñ',
  Oacute: 'Ó',
  Ouml: 'Ö',
  Uacute: 'Ú',
  Uuml: 'Ü',
  colon: ':',
  period: '.',
  comma: ',',
  num: '#',
  sol: '/',
  lowbar: '_',
  equals: '=',
  quest: '?',
  percnt: '%',
  dollar: '$',
  ast: '*',
  excl: '!',
  Tab: '\t',
  NewLine: '\n',
  lpar: '(',
  rpar: ')',
  plus: '+',
  minus: '-',
  semi: ';',
  commat: '@',
  hyphenmin: '-',
};
const reference = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,10});?/g;
const highest = 0x10ffff;

/** Linear: every reference has a bounded length. Never throws; numbers outside Unicode become U+FFFD. */
export function decodeEntities(html: string): string {
  return html.includes('&') ? html.replace(reference, decodeReference) : html;
}

function decodeReference(whole: string): string {
  const body = whole.slice(1).replace(';', '');
  if (/^#[xX]/.test(body)) return fromNumber(Number.parseInt(body.slice(2), 16));
  if (body.startsWith('#')) return fromNumber(Number.parseInt(body.slice(1), 10));
  // Without the semicolon, "&copy=1" in a link is a parameter.
  return whole.endsWith(';') && Object.hasOwn(named, body) ? (named[body] ?? whole) : whole;
}

function fromNumber(code: number): string {
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code === 0 || code > highest || isSurrogate ? '\ufffd' : String.fromCodePoint(code);
}
