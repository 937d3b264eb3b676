// Decides whether the characters around a number exclude it as a code, whatever the words say: part of an address, a
// path, a price, a percentage, a time, a telephone number, a masked card. Called for each candidate; examines a
// bounded range on either side.

const reach = 120;
const wordBreak = /[\s"'<>()[\]{}„“”«»「」『』【】|,;]|[^\x21-\x7e]/;
const currency = /[$€£¥₹₽₺₴₫₩₪₦฿₱﷼￥￡]/;
const currencyBefore =
  /(?:[$€£¥₹₽₺₴₫₩₪₦฿₱﷼]|\b(?:usd|eur|gbp|inr|rs\.?|rp\.?|idr|chf|pln|try|tl|vnd|jpy|krw|cny|rmb|aud|cad|sar|aed|egp|irr|uah|rub|brl|mxn|cop|clp))\s?$/i;
const currencyAfter =
  /^\s?(?:[$€£¥₹₽₺₴₫₩₪₦฿₱﷼%‰°]|(?:usd|eur|gbp|inr|chf|pln|zł|грн|руб|kr|tl|vnd|vnđ|đ|円|元)(?![\p{L}]))/iu;
const phoneBefore = /(?:\+\d{0,3}[\s-]?|\+\d{1,3}[\s-]\(?\d{1,4}\)?[\s-]|\(\d{2,5}\)[\s-]?)$/;
/** "ngu-482913": in Zulu and Xhosa "is" is written with what follows. */
const particleBefore = /(?:^|[\s"'“(])(?:ngu|ngo|nge|nga|yi|i|u|ku|ke|ka|ay)-$/;
const maskBefore = /(?:[•·∙●◦]{2,}|\*{2,}|[xX]{2,}|[.…]{3,}|…|[•●*xX]{3,}[-\s])\s?-?\s?$/;

/** Reports whether a number is part of something else. */
export function isPartOfSomethingElse(text: string, at: { start: number; end: number }): boolean {
  const before = text.slice(Math.max(0, at.start - reach), at.start);
  const after = text.slice(at.end, at.end + reach);
  return (
    isInsideWord(before, after) ||
    isInsideAddress(before, after) ||
    isMeasured(before, after) ||
    isMasked(before, after)
  );
}

// "é1234", "1.234,50", "12:30", "a_b", "A1B2-…-x": the character next to the candidate continues it.
function isInsideWord(before: string, after: string): boolean {
  // "__123456__" is bold type in plain text.
  if (/(?:^|\s)__$/.test(before) && after.startsWith('__')) return false;
  if (/[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_]$/u.test(before)) return true;
  if (/^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}_]/u.test(after)) return true;
  if (
    /\d[.,:'’٫٬]$/.test(before) ||
    /^[.:'’٫٬]\d/.test(after) ||
    /^,(\d{3}(?!\d)|\d{1,2}(?![\d\p{L}]))/u.test(after)
  ) {
    return true;
  }
  return (
    (/[A-Za-z0-9]-$/.test(before) && !particleBefore.test(before)) ||
    /^-[A-Za-z0-9]/.test(after) ||
    /[/\\]$/.test(before) ||
    /^[/\\]/.test(after)
  );
}

function isInsideAddress(before: string, after: string): boolean {
  const head = lastWord(before);
  const word = `${head}~${after.slice(0, wordEnd(after))}`;
  return (
    word.includes('://') ||
    word.includes('@') ||
    /^www\./i.test(word) ||
    /[?&][\w.-]*=/.test(head) ||
    /\.(com|net|org|io|html?)\b/i.test(word)
  );
}

function lastWord(before: string): string {
  for (let i = before.length - 1; i >= 0; i--) {
    if (wordBreak.test(before.charAt(i))) return before.slice(i + 1);
  }
  return before;
}

function wordEnd(after: string): number {
  for (let i = 0; i < after.length; i++) if (wordBreak.test(after.charAt(i))) return i;
  return after.length;
}

function isMeasured(before: string, after: string): boolean {
  const near = before.slice(-16);
  if (currencyBefore.test(near) || currencyAfter.test(after.slice(0, 8))) return true;
  if (currency.test(near.slice(-1)) || /©\s?$|\(c\)\s?$/i.test(near)) return true;
  if (phoneBefore.test(near)) return true;
  return /^[ .-]?\(?\d{3,4}\)?[ -]\d{2,4}/.test(after) && /\d[ -]?$/.test(near);
}

function isMasked(before: string, after: string): boolean {
  // "DE8937...3000": the start of a partly masked number.
  if (/^(?:\.{2,}|…|[•·●]{2,}|\*{3,})[\s.-]?\w/.test(after)) return true;
  if (!maskBefore.test(before.slice(-12))) return false;
  // "**123456**" is bold type in plain text.
  return !(/\*\s?$/.test(before) && /^\s?\*/.test(after));
}
