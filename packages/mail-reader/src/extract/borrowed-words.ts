// Recognises words that only look like the name of a code or a request to type: "Form type 1099", "Employee code:
// 4821". Called by code-source.ts once per text. Examines a bounded range on either side of the word.
import { cleanText, foldCase } from './fold-text.ts';
import type { Meaning, MeaningHit } from './match-words.ts';

/** Verbs that are also nouns on labels. */
const nounAndVerb = /^(?:type|typ|tipo|marca|marque|marke|form|informe)$/;
/** Nouns among the words that ask for a number. */
const numberNoun = /^(?:番号|번호|号码|號碼|숫자|数字|數字)$/;
const makesNoun = /^(?:\s?[:：\t]|\s(?:no|nr|number|nummer|id)\b)/;
const lastWord = /([\p{L}\p{M}\p{N}'’.]+)([ \t-])$/u;
/** After "PIN". */
export const postalPin = /^\s?(?:code)?\s?[:.\-–]?\s?[1-8]\d{2}\s?\d{3}(?!\d)/i;
/** Words that may precede an imperative. */
const beforeVerb =
  setOf(`to, and, please, then, just, or, must, can, should, simply, also, now, you, bitte, und, oder, dann, jetzt,
  einfach, en, dan, hier, favor, e, y, ou, och, og, eller, vänligen, venligst, vennligst`);
/** Words before "code" that do not say whose code it is. */
const noOwner =
  setOf(`the, your, this, that, my, a, an, our, new, following, below, above, unique, personal, secret, special, and, or, with,
  of, is, current, latest, correct, single, short, numeric, digit, right, same, own, entire, full, whole, received, enclosed, private, safe,
  der, die, das, dein, deine, deinen, deinem, deiner, ihr, ihre, ihren, ihrem, ihrer, den, dem, diesen, dieser, diesem, dieses, mit, folgende,
  folgenden, folgender, neue, neuer, neuen, einen, ein, einem, persönlicher, stelliger, stelligen, stellige, aktueller, geheimer, und,
  le, la, les, un, une, ce, cet, votre, ton, vos, tes, du, de, des, nouveau, avec, mon, et,
  el, los, las, tu, su, este, esta, con, mi, nuevo, siguiente, y, il, lo, questo, tuo, suo, nuovo, seguente, o, os, as, seu, teu, esse, novo, seguinte, com, e,
  je, jouw, uw, een, het, deze, dit, nieuwe, volgende, met, cijferige, en, ten, ten sam, twój, ten, nowy, następujący, swój, i, to, z, tego,
  bu, şu, bir, yeni, haneli, tek, ile, ve, aşağıdaki, kişisel, kullanımlık, din, ditt, dina, den, det, denne, nye, nya, följande, følgende, denna, detta, en, ett, et, siffriga, cifrede, sifrede, sifret, med, och, og, unik, unika, ny,
  váš, tvůj, tvoj, tento, nový, následující, nasledujúci, tenhle, zadejte, s, a, je, az, ez, ezt, következő, új, alábbi, jegyű, acest, următorul, următorulcod, noul, noi, cu, cest, nou, aquest, següent, amb, teu,
  vaš, ovaj, tvoj, svoj, novi, sljedeći, jednokratni, sa, taj, ваш, этот, твой, новый, свой, следующий, с, и, значный, цей, новий, свій, наступний, з, та, вашия, този, вашият, следния, следующий, овај, нови,
  यह, आपका, आपके, अपना, एक, नया, इस, का, के, की, अंकों, का, ye, the, এই, আপনার, একটি, নতুন, এর, উপরের, নিচের, இந்த, உங்கள், ஒரு, புதிய, உங்களுடைய, یہ, آپ, آپکا, اپنا, ایک, نیا, کا, اس, اين, این, یک, شما, هذا, رمز, kini, anda, ini, mã, ο, η, το, τον, αυτός, αυτόν, νέος, ένας, σας, הקוד, זה, את, her, his`);
/** Particles and pronouns directly before "コード", "代码", "코드". */
const cjkParticle =
  /[のこそごおはがをにで、。：:「『（(个個的此该該本这這您你为為是位桁자리로의는은이가를을\s]$/;
const cjkLetter = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]$/;
/** "대기 번호": a noun of its own, without a particle. */
const hangulWord = /[\uac00-\ud7af](?<![의은는이가을를로에서한된할인] ) $/;
const sentenceEnd = /[.!?:。！？।؟]\s?/;
const purposes: ReadonlySet<Meaning> = new Set(['act', 'enter', 'typeNext', 'valid']);
const names: ReadonlySet<Meaning> = new Set(['code', 'weak', 'pin', 'password']);
const reach = 60;

/** A text in its original and its folded form. */
interface FoldedText {
  readonly text: string;
  readonly folded: string;
}

/** Returns the hits without nouns, with codes of something else marked as such. `sender` is folded. */
export function sortOutBorrowed(text: FoldedText, hits: readonly MeaningHit[], sender: string): MeaningHit[] {
  const kept: MeaningHit[] = [];
  hits.forEach((hit, i) => {
    if ((hit.tag === 'enter' || hit.tag === 'typeNext') && isNoun(text.folded, hit)) return;
    if (hit.tag === 'pin' && isPostal(text.folded, hit)) return;
    const isNumber = hit.tag === 'enter' && numberNoun.test(text.folded.slice(hit.start, hit.end));
    const owned =
      (hit.tag === 'weak' || isNumber) &&
      isOwned(text, hit, { sender, before: hits.slice(Math.max(0, i - 5), i) });
    // "ゼッケン番号", "대기 번호": the number of something else.
    if (owned && isNumber) return;
    kept.push(owned ? { ...hit, tag: 'owned' } : hit);
  });
  return kept;
}

// Reports whether a listed verb is used as a noun.
function isNoun(folded: string, hit: MeaningHit): boolean {
  if (!nounAndVerb.test(folded.slice(hit.start, hit.end))) return false;
  if (makesNoun.test(folded.slice(hit.end, hit.end + 10).split('\n', 1)[0] ?? '')) return true;
  const word = lastWord.exec(lineBefore(folded, hit.start))?.[1];
  return word !== undefined && !beforeVerb.has(word) && !/[.:]$/.test(word);
}

// "Bengaluru, Karnataka, PIN Code: 560038": India's name for postal codes.
function isPostal(folded: string, hit: MeaningHit): boolean {
  return (
    postalPin.test(folded.slice(hit.end, hit.end + 24)) &&
    /,[^,:!?।]{0,30}$/.test(lineBefore(folded, hit.start))
  );
}

// Reports whether another word says what code it is: "Employee code: 4821", "社員コード：4821". Brands and "login" do not
// count.
function isOwned(
  { text, folded }: FoldedText,
  hit: MeaningHit,
  { sender, before: hits }: { sender: string; before: readonly MeaningHit[] },
): boolean {
  const before = lineBefore(folded, hit.start);
  // "The code you need to confirm it", "Tell the courier code 8140".
  const from = hit.start - (before.split(sentenceEnd).at(-1) ?? '').length;
  if (hits.some(({ tag, start }) => start >= from && purposes.has(tag))) return false;
  if (cjkLetter.test(folded.charAt(hit.start))) {
    if (hangulWord.test(before)) return !endsKeyword(hits, hit.start - 1);
    return cjkLetter.test(before) && !cjkParticle.test(before) && !endsKeyword(hits, hit.start);
  }
  const word = lastWord.exec(before)?.[1] ?? '';
  if (!/\p{L}/u.test(word) || noOwner.has(word) || endsKeyword(hits, hit.start - 1)) return false;
  if (sender !== '' && sender.includes(word.replace(/['’]s?$/, ''))) return false;
  return !isBrand(text, hit.start - word.length - 1, before);
}

// "Your Gaggle code": a capitalised name introduced by a small word.
function isBrand(text: string, start: number, before: string): boolean {
  if (!/\p{Lu}/u.test(text.charAt(start))) return false;
  const lead = lastWord.exec(before.slice(0, -1).replace(/[^\s-]+$/u, ''))?.[1];
  return lead !== undefined && noOwner.has(lead);
}

/** Reports whether another keyword ends there: "login code". */
function endsKeyword(hits: readonly MeaningHit[], at: number): boolean {
  return hits.some(({ tag, end }) => (end === at || end === at + 1) && (purposes.has(tag) || names.has(tag)));
}

function lineBefore(folded: string, at: number): string {
  const before = folded.slice(Math.max(0, at - reach), at);
  return before.slice(before.lastIndexOf('\n') + 1);
}

function setOf(list: string): ReadonlySet<string> {
  return new Set(list.split(',').map((word) => foldCase(cleanText(word.trim()))));
}
