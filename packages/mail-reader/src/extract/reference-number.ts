// Recognises numbers by which something is filed or counted: a tracker's issue, an order, a commit, "48291 learners". Called
// by score-candidate.ts for each candidate, and once for the subject. Examines a bounded range beside the number.
import { type CodeSource, firstAtOrAfter } from './code-source.ts';
import type { Meaning, MeaningHit } from './match-words.ts';
import { asks, type Place, sentenceEnd, weights } from './place.ts';

const reach = 60;
/** "PO-482917": marks of purchase orders, invoices and requests. */
const filingMark =
  /^(?:PO|PR|SO|WO|SR|RO|CR|MR|TT|TK|INV|ORD|REQ|INC|CHG|RMA|RFQ|REF|CASE|BUG|TASK|TICKET|ISSUE|ORDER|CVE|AWB)$/;
/** "(AUTH-4829)", "[Request 482917]", "(PR #48)", "(!48291)", "[acme/api]". */
const filedSubject =
  /[([](?:[^()[\]]{0,30}[#!№]\d{1,10}|[A-Z][A-Z0-9]{1,9}-\d{1,7}|[\w.-]{1,40}\/[\w.-]{1,40})[)\]]|[#№]\d{2,9}\s*$/;
/** A space and a word of four letters or more. */
const quantified = /^ \p{Ll}{4,}/u;
/** "17356 codes are now available", "48291 one-time codes". */
const countedCodes =
  /^ (?:[\p{Ll}-]{2,20} ){0,3}(?:pass)?(?:codes|códigos|codici|koder|kody|kodów|kódy|коды|кодов|коди|кодів)(?!\p{L})/u;
/** "failures above 5000", "mehr als 5000". */
const limit =
  /(?<!\p{L})(?:above|below|over|under|exceeds?|than|at least|at most|up to|über|unter|mehr als|weniger als|plus de|moins de|más de|menos de|mais de|più di|meno di|meer dan|minder dan|fler än|färre än|więcej niż|mniej niż|více než|больше|меньше|более|менее)\s$/iu;
const meant: ReadonlySet<Meaning> = new Set(['copula', 'valid', 'inSubject', 'stale', 'example']);
const openBracket = /[([]([^()[\]]{0,40})$/;
const restOfBracket = /^([^()[\]]{0,40})[)\]]/;
const letter = /\p{L}/u;

/** Reports whether a tracker, a repository or a build filed the mail under a number of its own. */
export function isFiledUnderNumber(subject: string): boolean {
  return filedSubject.test(subject);
}

/** "Login code failures above 5000": a bound that was passed. */
export function isBound({ candidate, source }: Place): boolean {
  return limit.test(source.text.slice(Math.max(0, candidate.start - reach), candidate.start));
}

/** "verify-code.test.ts line 4829", "auth/otp.py:4829". */
const placeInFile =
  /\w\.(?:[a-z][a-z0-9]{0,4}["'`)]?,? ?(?:(?:at |on )?lines? |ln |#L|Zeile |ligne |línea |linea |linha |строка |行 ?)|(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|cs|cpp|hpp|php|swift|scala|vue|yml|yaml|sql|log)(?::\d{1,6})?:)$/iu;

/** Reports whether the number is a line of a named file. */
export function isLineOfFile({ candidate, source }: Place): boolean {
  return placeInFile.test(source.text.slice(Math.max(0, candidate.start - reach), candidate.start));
}

/** "2026-11-09 07:50:24 host2 app[10943]: code 549839", "Nov  9 07:50:24 host sshd[812]:", "2026-11-09T07:50:24Z INFO". */
const logged =
  /^\W{0,4}(?:\d{4}-\d\d-\d\d[T ]|\p{Lu}\p{L}{2} [ \d]\d )\d\d:\d\d:\d\d\S{0,8} .{0,60}?(?:\w\[\d{1,8}\]:|(?<!\p{L})(?:DEBUG|INFO|NOTICE|WARN|WARNING|ERROR)(?!\p{L}))/u;

/** "One-time codes" in the cell before "48217", "Enviados códigos: 4821": how many there were. */
const countLabel =
  /(?:^|[^\p{L}])(?:pass)?(?:codes|códigos|codici|kódy|κωδικοί)(?: (?:sent|used|requested|gesendet|envoyés|enviados|inviati|verzonden))?(?:\t| ?: ?)$/iu;

/** Reports whether the number is on the line of a label for codes in the plural. */
export function isCountOfCodes({ candidate, source, line }: Place): boolean {
  return (
    candidate.shape === 'digits' &&
    countLabel.test(source.text.slice(Math.max(line.start, candidate.start - reach), candidate.start))
  );
}

/** Reports whether the number is in a line that a program logged. */
export function isLineOfLog({ candidate, source, line }: Place): boolean {
  return logged.test(source.text.slice(line.start, Math.min(candidate.start, line.start + 120)));
}

/** Reports whether the number names or counts something, by what stands directly around it. */
export function isReference(place: Place): boolean {
  const { candidate, source } = place;
  const before = source.text.slice(Math.max(0, candidate.start - reach), candidate.start);
  const after = source.text.slice(candidate.end, candidate.end + reach);
  // "7f3a912 fix the form", "pam(482917)".
  if (/^(?=.*[a-f])[0-9a-f]{7,10}$/.test(candidate.value) || /[a-z_]\($/.test(before)) return true;
  if (filingMark.test(markOf(place)) || isQuantity(place) || countsCodes(place)) return true;
  return source.name === 'subject' && isSubjectKey(place, before, after);
}

// "48291 learners finished this course", and "48291" above "people ahead of you": an ordinary word follows, and no word
// of the sentence is about a code.
function isQuantity({ candidate, source, line, lineIndex, alone }: Place): boolean {
  if (candidate.shape !== 'digits' || isAskedAbove(source, lineIndex)) return false;
  const below = alone === 2 ? source.lines[lineIndex + 1] : undefined;
  const from = below?.start ?? candidate.end + 1;
  const to = below?.end ?? line.end;
  const after = source.text.slice(from, Math.min(to, from + reach));
  if (
    below
      ? to - from > 40 || !/^\p{Ll}/u.test(after)
      : !quantified.test(source.text.slice(from - 1, from + 24))
  ) {
    return false;
  }
  const start = below ? from : Math.max(line.start, candidate.start - reach);
  const before = below ? '' : source.text.slice(start, candidate.start);
  const opening = before.split(sentenceEnd).at(-1) ?? '';
  const rest = after.split(sentenceEnd)[0] ?? '';
  const [first, last] = [below ? from : candidate.start - opening.length, from + rest.length];
  return !hitsBetween(source, first, last).some(({ tag }) => weights[tag] !== undefined || meant.has(tag));
}

function countsCodes({ candidate, source }: Place): boolean {
  const after = source.folded.slice(candidate.end, candidate.end + reach);
  return candidate.shape === 'digits' && countedCodes.test(after);
}

/** Returns the keywords that overlap a stretch. */
function hitsBetween({ hits }: CodeSource, from: number, to: number): MeaningHit[] {
  const longest = 64;
  const last = firstAtOrAfter(hits, to);
  return hits.slice(firstAtOrAfter(hits, from - longest), last).filter(({ end }) => end > from);
}

// "To finish, type", the number, "into the field".
function isAskedAbove({ lines, hits }: CodeSource, lineIndex: number): boolean {
  const above = lines[lineIndex - 1];
  if (!above) return false;
  const at = firstAtOrAfter(hits, above.start);
  return hits
    .slice(at, at + 12)
    .some(({ tag, end }) => end <= above.end && (asks.has(tag) || tag === 'copula'));
}

function markOf({ candidate, source }: Place): string {
  if (candidate.prefix !== '') return candidate.prefix;
  const shown = source.text.slice(candidate.start, candidate.end);
  return /^([A-Z]{2,6})-\d/.exec(shown)?.[1] ?? '';
}

function isSubjectKey({ candidate, source }: Place, before: string, after: string): boolean {
  if (/[#!№]$/.test(before)) return true;
  const [opened, closed] = [openBracket.exec(before)?.[1], restOfBracket.exec(after)?.[1]];
  const isKey = /^[A-Z]{2,10}-\d{1,7}$/.test(source.text.slice(candidate.start, candidate.end));
  // "(482913)" may be the code; "[Request 482917]" and "(AUTH-4829)" are keys.
  if (opened !== undefined && closed !== undefined) {
    const from = candidate.start - opened.length;
    return isKey || (letter.test(opened) && !namesCode(source, from, candidate.start));
  }
  const isFirst = /^(?:\p{L}{2,4}:\s|\[[^\]]{0,40}\]\s){0,3}$/u.test(before);
  if (isKey && isFirst && /^:?\s\p{Lu}/u.test(after)) return true;
  // "Task 482917: write the mail".
  return /^:\s\p{L}/u.test(after) && letter.test(before) && !namesCode(source, 0, candidate.start);
}

function namesCode({ hits }: CodeSource, from: number, to: number): boolean {
  return hits.some(({ tag, start, end }) => {
    return (
      (tag === 'code' || tag === 'weak' || tag === 'pin' || tag === 'password') && start >= from && end <= to
    );
  });
}
