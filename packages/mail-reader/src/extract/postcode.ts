// Recognises postal codes and other numbers of an address: "WA, USA 98052", "PIN Code: 560038", "Ilica 48, 10000
// Zagreb". Called by weigh-against.ts. Examines a bounded range of the number's line and its neighbours.
import type { Place, WordWeight } from './place.ts';

const lineMax = 220;
const labelMax = 30;
/** Under its own label, whatever the rest of the mail is about. */
const certain = 8;
/** "Seattle, WA 98109", "CA, USA 94107". */
const american = /(?:^|[,\s])[A-Z]{2}\.?(?:,?\s(?:USA?|U\.S\.A?\.|United States))?,?\s$/;
/** Names of postal codes that also name secrets, and those that do not. */
const postalLabel =
  /(?<![a-zа-яё])(?:zip|plz|cep|c\.?p\.?|postal|postcode|post ?code|postkod|postnummer|postnr|psč|psc|irsz|kode ?pos|poskod|индекс|індекс|ταχυδρομικός κώδικας|τ\.?κ\.?|邮编|邮政编码|郵遞區號|郵便番号|〒|우편번호|کد ?پستی|کدپستی|الرمز البريدي|ص\.? ?ب\.?|מיקוד|รหัสไปรษณีย์|ডাকঘর|পোস্ট কোড|அஞ்சல் குறியீடு|پوسٹل کوڈ)\s?(?:code)?\s?[:.\-–]?\s?$/iu;
const pinLabel = /(?:\bpin[ -]?code|\bpin|पिन ?कोड|पिन|பின் ?கோடு|பின்|পিন ?কোড|পিন|پن ?کوڈ)\s?[:.\-–]?\s*$/iu;
const road =
  /(?:^|[\s,.،(])(?:st|str|street|ave|avenue|rd|road|blvd|boulevard|lane|ln|drive|suite|ste|floor|plot|block|sector|phase|nagar|marg|dist|district|p\.?o\.? box|rue|avenue|calle|av|avda|carrer|rambla|rua|avenida|via|viale|piazza|ul|al|os|jl|jalan|cad|caddesi|sok|mah|bulvarı|no|ул|вул|пр|просп|бул|пл|д|nám|út|utca|tér|str|bd|calea|odos|רחוב|שדרות|شارع|خیابان|ถนน|ซอย|แขวง|เขต|রোড|சாலை|روڈ|रोड|मार्ग|नगर)(?=[\s,.:،]|$)|\p{L}{2}(?:straße|strasse|str\.|gasse|platz|weg|allee|straat|gracht|laan|plein|singel|gatan|vägen|gade|vej|gate|gata|veien|katu|tie|kuja|utca|ulica|улица|площадь)(?=[\s,.]|$)|[路街區区市町]|丁目|[로길동] /iu;
const company =
  /(?:^|[\s,.«"(])(?:inc|llc|ltd|limited|corp|plc|pvt|gmbh|ag|kg|ug|sas|sarl|s\.?a\.?|s\.?l\.?|s\.?r\.?l\.?|srl|s\.?p\.?a\.?|ltda|lda|b\.?v\.?|n\.?v\.?|ab|aps|a\/s|as|oy|oyj|s\.r\.o|a\.s|kft|zrt|bt|nyrt|d\.?o\.?o|d\.d|sp\. z o\.o|ооо|ао|тов|ат|оод|ад|a\.ş|ltd\. şti|pt|sdn|bhd|uab|oü|sia|as|α\.ε|ε\.π\.ε|בע"מ|شركة|شرکت|công ty|บริษัท|株式会社|有限公司|주식회사|লিমিটেড|லிமிடெட்|لمیٹڈ|प्रा)(?=[\s,.:،»"]|$)|株式会社|有限公司|주식회사|\(주\)|บริษัท/iu;
const partBreak = /[,،、，|·•;]/;
const sentence = /[.!?。！？।؟]\s+\p{L}{3,}.*[.!?。！？।؟]\s*$/u;

/** Returns the log-odds that the number is part of an address. */
export function weighPostcode(place: Place, weight: WordWeight): number {
  const { candidate, source, line } = place;
  if (!/^\d{4,10}$/.test(candidate.value)) return 0;
  const before = source.text.slice(Math.max(line.start, candidate.start - lineMax), candidate.start);
  const label = before.slice(-labelMax);
  if (postalLabel.test(label)) return certain;
  if (candidate.value.length === 5 && american.test(label) && weight.supportedBy !== 'code') return 4;
  const after = source.text.slice(candidate.end, Math.min(line.end, candidate.end + lineMax));
  if (/^[1-8]\d{5}$/.test(candidate.value) && pinLabel.test(label)) {
    return isPinOfPlace(place, before, after) ? certain : 0;
  }
  // Without a word for a code it needs no doubt.
  if (isNamed(weight) || (weight.support < 0.8 && place.alone < 1)) return 0;
  return looksLikeAddress(before, after) ? 3 : 0;
}

// "Your code is 482913, 12 Main Street knows it" remains a code, because its name is adjacent.
function isNamed({
  support,
  direct,
  afterVerb,
  afterColon,
  vague,
  asked,
  leads,
  opens,
}: WordWeight): boolean {
  if (vague) return false;
  return asked || leads || opens || (support >= 2.2 && (direct || afterVerb || afterColon));
}

// Indian postal codes are called PIN codes; the place precedes them or is on a neighbouring line.
function isPinOfPlace({ source, lineIndex, line }: Place, before: string, after: string): boolean {
  const own = before.replace(pinLabel, '');
  if (looksLikeAddress(own, after) || /\p{L}\p{Mn}*\s?,\s*$/u.test(own)) return true;
  if (own.trim() !== '' || /\p{L}/u.test(after)) return false;
  const { lines, text } = source;
  return [lines[lineIndex - 1], lines[lineIndex + 1]].some((beside) => {
    if (!beside || beside.start === line.start) return false;
    const words = text.slice(beside.start, Math.min(beside.end, beside.start + lineMax));
    return (
      road.test(words) ||
      /^\s*[\p{Lu}\p{Lo}][^.!?।:]{2,40}(?:,[^.!?।:]{2,40})+,?\s*$/u.test(words) ||
      isPlace(words)
    );
  });
}

function isPlace(words: string): boolean {
  return /(?:^|[\s,:])(?:india|city|state|district|address|deliver(?:y|ed)? to|ship(?:ping)? (?:to|address)|भारत|पता|शहर|राज्य)(?=[\s,:]|$)/i.test(
    words,
  );
}

/** Two or more parts of few words, one of them a street, a firm or a house number. */
function looksLikeAddress(before: string, after: string): boolean {
  const line = `${before} ${after}`;
  if (line.length > lineMax) return false;
  const parts = line.split(partBreak).filter((part) => /[\p{L}\p{N}]/u.test(part));
  if (parts.length < 2 && !company.test(line)) return false;
  if (sentence.test(line) || parts.some((part) => part.trim().split(/\s+/).length > 8)) return false;
  return (
    road.test(line) || company.test(line) || /(?:^|[\s,،、№])\d{1,4}[A-Za-zА-я]?(?=[\s,،、，-]|$)/.test(line)
  );
}
