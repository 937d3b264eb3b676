// Separates what a mail says itself from earlier mail in it: lines after ">", a quotation below "… wrote:", the headers
// that Outlook puts above what it forwards, quoting elements of HTML. Called by find-codes.ts on clean text, once per
// text. Lines are examined one at a time and only up to a bounded length.
import { hasInk, type Line } from './code-source.ts';
import { foldCase } from './fold-text.ts';
import type { ApartText } from './read-html.ts';

export interface SplitText {
  /** As long as the text: what is quoted is replaced by spaces. */
  readonly fresh: string;
  /** The quoted text, without its marks; '' if nothing is. */
  readonly quoted: string;
}

interface Range extends Line {
  readonly isStruck?: boolean;
}

const lineMax = 300;
/** With less text than this outside of it, a blockquote is a box. */
const leastOutside = 60;
/** Two words, or as much in scripts without spaces. */
const words =
  /\p{L}{2}[^\p{L}\n]{1,8}\p{L}{2}|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]{3}/u;
const headersMax = 8;
const replies =
  're,aw,sv,vs,antw,ref,rif,res,odp,ynt,vá,atb,bls,回复,回覆,答复,答覆,返信,답장,회신,رد,پاسخ,השב,תגובה,отв,відп,απ,fwd,fw,wg,tr,rv,enc,i,doorst,vl,vb,pd,rm,转发,轉寄,轉發,転送,전달,إعادة توجيه,ارسال,הועבר,ilt,пересл,переслано,προωθ';
const reply = new RegExp(
  `^\\s*(?:\\[[^\\]]{0,40}\\]\\s*)?(?:${replies.replaceAll(',', '|')})\\s?(?:\\[\\d{1,3}\\])?\\s?[:：]`,
  'iu',
);
const date = /(?:19|20)\d\d|\d{1,2}[:.]\d\d/;
const address = /[^\s<>"]@[^\s<>"]/;
const bracketed = /[<([][^\s<>]{1,80}@[^\s<>]{1,80}[>)\]]/;
/** "wrote", as clients say it. */
const wrote =
  /(?<!\p{L})(?:wrote|writes|schrieb|geschrieben|écrit|escribió|escribio|escreveu|scritto|schreef|napisał|napisała|napsal|napísal|написал|написала|пишет|написав|писал|yazdı|skrev|kirjoitti|írta|scris|έγραψε|escrigué|escriure|napisao|napisal|rašė|rakstīja|kirjutas|menulis|viết|wrote)(?!\p{L})|كتب|نوشت|כתב|ने लिखा|লিখেছেন|写道|寫道|写：|のメール|書きました|작성|เขียน|எழுதினார்/iu;
/** Names of the sender's field where mail programs quote headers. */
const senders =
  'from,von,de,da,van,od,от,від,kimden,gönderen,من,از,מאת,प्रेषक,से,发件人,寄件者,寄件人,差出人,보낸 사람,보낸사람,từ,dari,daripada,från,fra,lähettäjä,feladó,de la,από,จาก,থেকে,প্রেরক,அனுப்புநர்,منجانب,pošiljatelj,pošiljatelj/ica,nuo,no,saatja,expéditeur,mittente,remitente,remetente,afzender,nadawca,отправитель,відправник,odesílatel,odosielateľ,šalje';
const senderNames: ReadonlySet<string> = new Set(senders.split(',').map(foldCase));
const header = /^[*_ \t>]{0,4}(\p{L}[\p{L}\p{M} .'’/-]{0,24}?)[*_]{0,2}[ \t]?[:：][*_]{0,2}[ \t]{0,4}\S/u;
const divider = /^[ \t]*[-_=*]{2,}[ \t]*[^\s\-_=*][^\n]{2,60}?[-_=*]{2,}[ \t]*$/;

/** Reports whether a subject says that the mail answers or forwards another. */
export function isReply(subject: string): boolean {
  return reply.test(subject.slice(0, lineMax));
}

/** `apart` is what HTML sets apart; what is struck through belongs to neither. */
export function splitQuoted(text: string, isAnswer: boolean, apart: readonly ApartText[] = []): SplitText {
  const ranges = [...quotesOf(text, isAnswer, apart), ...findRanges(text, linesOf(text), isAnswer)];
  if (ranges.length === 0) return { fresh: text, quoted: '' };
  ranges.sort((a, b) => a.start - b.start);
  const fresh: string[] = [];
  const quoted: string[] = [];
  let at = 0;
  for (const { start, end, isStruck } of ranges) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    const part = text.slice(from, end);
    fresh.push(text.slice(at, from), part.replace(/[^\n]/g, ' '));
    if (!isStruck) quoted.push(part.replace(/^[ \t]*(?:>[ \t]?){1,40}/gm, ''));
    at = end;
  }
  fresh.push(text.slice(at));
  return { fresh: fresh.join(''), quoted: quoted.join('\n') };
}

// A box around the code, or around the whole mail, is no quotation.
function quotesOf(text: string, isAnswer: boolean, apart: readonly ApartText[]): Range[] {
  return apart.flatMap(({ start, end, as }) => {
    if (as === 'struck') return [{ start, end, isStruck: true }];
    const hasWords = words.test(text.slice(start, Math.min(end, start + lineMax)));
    const isBox = as === 'block' && !isAnswer && text.length - (end - start) < leastOutside;
    return hasWords && !isBox ? [{ start, end }] : [];
  });
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  for (let start = 0; start <= text.length;) {
    const next = text.indexOf('\n', start);
    const end = next < 0 ? text.length : next;
    if (hasInk(text, start, end)) lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

function findRanges(text: string, lines: readonly Line[], isAnswer: boolean): Range[] {
  const read = (i: number): string => {
    const line = lines[i];
    return line ? text.slice(line.start, Math.min(line.end, line.start + lineMax)) : '';
  };
  const ranges: Range[] = [];
  const marked = lines.map(({ start }) => isMarked(text, start));
  const hasWords = lines.some((_, i) => marked[i] && words.test(read(i)));
  for (const [i, line] of lines.entries()) {
    if (marked[i]) {
      if (hasWords) ranges.push(line);
      continue;
    }
    const isBegun = isHeading(read, i, isAnswer);
    if (!isBegun) continue;
    // Lines after ">" end where an answer between them begins; anything else is quoted to its end.
    if (marked[i + 1] && hasWords) ranges.push(line);
    else return [...ranges, { start: line.start, end: text.length }];
  }
  return ranges;
}

function isMarked(text: string, start: number): boolean {
  let at = start;
  while (text.charCodeAt(at) === 32 && at < start + 4) at++;
  return text.charCodeAt(at) === 62;
}

function isHeading(read: (i: number) => string, i: number, isAnswer: boolean): boolean {
  const line = read(i);
  if (!/[:：]/.test(line) && !divider.test(line)) return false;
  if (isAttribution(line, isAnswer)) return true;
  // "On Fri, 13 Nov 2026 at 09:12, Ann <ann@…>" may break before "wrote:".
  const next = read(i + 1);
  if (line.length > 30 && next.length < 60 && isAttribution(`${line} ${next}`, false)) return true;
  return isHeaderBlock(read, divider.test(line) ? i + 1 : i);
}

function isAttribution(line: string, isAnswer: boolean): boolean {
  if (!/[:：]\s*$/.test(line) || !date.test(line)) return false;
  return bracketed.test(line) || wrote.test(line) || (isAnswer && line.length < 120);
}

/** "From: …", "Sent: …", "To: …", "Subject: …", in any language. */
function isHeaderBlock(read: (i: number) => string, first: number): boolean {
  let headers = 0;
  let addresses = 0;
  let dates = 0;
  let isFrom = false;
  for (let i = first; i < first + headersMax; i++) {
    const line = read(i);
    const name = header.exec(line)?.[1];
    if (name === undefined) break;
    if (headers === 0) isFrom = senderNames.has(foldCase(name.trim()));
    headers++;
    if (address.test(line)) addresses++;
    else if (date.test(line)) dates++;
  }
  if (headers < 3 || dates === 0) return false;
  return isFrom || (addresses >= 2 && headers >= 4);
}
