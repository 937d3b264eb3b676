// Recognises sentences that open with the code and continue with its use, without naming it: "61180 to confirm your
// card". Called by weigh-words.ts. Examines a bounded range of one line.
import type { Candidate } from './find-candidates.ts';
import type { CodeSource, Line } from './code-source.ts';

interface Standing {
  readonly candidate: Candidate;
  readonly source: CodeSource;
  readonly line: Line;
}

/** Words between a code and its use: "to", "for", "per", "для", with a dash or a verb before. */
const usedFor =
  /^\s?[-—–,]?\s?(?:(?:to|for|per|para|pra|pour|um|zum|zur|zu|für|om|voor|do|dla|aby|żeby|для|чтобы|щоб|untuk|utk|buat|để|de|da|برای|جهت|för att|for at|for å|pro|pre|na|pentru|per a|za|για|için|עבור|כדי|เพื่อ)\s|ل(?=\p{L})|เพื่อ)/iu;
/** "With 60419 you confirm it". */
const byMeansOf =
  /(?:^|[.!?,:。！？]\s?)\s*(?:mit|with|avec|con|com|met|dengan|med|cu|amb|s|pomocí|pomocou|pomoću|za pomocą|с помощью|за допомогою|с|με|s kódem|uporabi|ar|su|kasutades)\s$/iu;
/** Only a sender's name or a request precedes it: "Acme: ", "Use ". */
const sentenceOpening = /(?:^|[.!?。！？।؟]\s?|[:：\]】》>)]\s?|\n)\s*(?:\p{L}{1,12}\s)?["'“„«「*]*$/u;
const begins = /(?:^|[.!?。！？।؟]\s?|\n)\s*["'“„«「*]*$/u;
const explains = /^["'”»」*]{0,2}\s?[:：—–-]\s?(?=\p{L})/u;

/**
 * Reports whether the code opens a sentence (see `opens`) that continues with what `hit` names: "61180 to confirm",
 * "With 60419 you confirm".
 */
export function leadsTo({ candidate, source, line }: Standing, hit: Line, opens: boolean): boolean {
  if (hit.start < candidate.end || hit.start >= line.end || !/\d/.test(candidate.value)) return false;
  const gap = source.text.slice(candidate.end, hit.start);
  if (gap.length > 40 || /\d|[.;!?]\s/.test(gap)) return false;
  return opens || byMeansOf.test(textBefore({ candidate, source, line }));
}

/** Reports whether the code opens a line or sentence that explains it: "5139: this is the number to type". */
export function isExplained({ candidate, source, line }: Standing, copulas: readonly Line[]): boolean {
  if (!begins.test(textBefore({ candidate, source, line }))) return false;
  const after = source.text.slice(candidate.end, Math.min(line.end, candidate.end + 8));
  return (
    explains.test(after) || copulas.some(({ start }) => start >= candidate.end && start <= candidate.end + 2)
  );
}

/** Reports whether the code opens a sentence that says what it is for. */
export function opensSentence({ candidate, source, line }: Standing): boolean {
  const after = source.text.slice(candidate.end, Math.min(line.end, candidate.end + 40));
  return usedFor.test(after) && sentenceOpening.test(textBefore({ candidate, source, line }));
}

function textBefore({ candidate, source, line }: Standing): string {
  return source.text.slice(Math.max(line.start, candidate.start - 30), candidate.start);
}
