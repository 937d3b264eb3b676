// Counts how many codes of labelled mails are shown, missed or wrong. One measure for the rules, the training of the
// model and the published figures, so that their results can be compared.
import { readFileSync } from 'node:fs';

import { codeConfidence, type FoundCode, findCodes } from '../../src/extract/find-codes.ts';
import { parseMailboxes } from '../../src/header/header-address.ts';

/** A mail with the answer a person gave. */
export interface LabelledMail {
  readonly id: string;
  /** A tag of BCP 47 in lower case. */
  readonly lang: string;
  /** "Name <address>". */
  readonly from: string;
  readonly subject: string;
  readonly text: string | null;
  readonly html: string | null;
  /** The code to type; null if the mail has none. */
  readonly expected_code: string | null;
  /** Other values that are not counted as wrong. */
  readonly also: readonly string[];
  /** The link that the mail asks to follow, and others that do the same, where links are labelled. */
  readonly expected_link?: string | null;
  readonly link_also?: readonly string[];
}

export interface Counts {
  mails: number;
  /** Mails with a code. */
  wanted: number;
  right: number;
  /** Shown where there is no code, or another than the right one. */
  wrong: number;
  /** Ids of the mails with a wrong value, and of those whose code is not shown. */
  readonly wrongIds: string[];
  readonly missedIds: string[];
}

export interface Rates {
  readonly precision: number;
  readonly recall: number;
}

/** Tags of languages whose words are filed under another. */
const aliases: Record<string, string> = { nb: 'no', nn: 'no' };

export function readLabelledMails(file: URL): LabelledMail[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as LabelledMail);
}

/** Returns the codes of a labelled mail, best first. */
function codesOf(mail: LabelledMail): FoundCode[] {
  const { subject, text, html, from } = mail;
  const [sender] = parseMailboxes(from, 1);
  const [senderName, senderEmail] = [sender?.name ?? '', sender?.email ?? ''];
  return findCodes({ subject, text: text ?? '', html, senderName, senderEmail });
}

/** Returns the value that a reader sees first, or null. `codes`: best first. */
export function shownValue(codes: readonly FoundCode[]): string | null {
  const best = codes.find(({ kind }) => kind !== 'quoted');
  return best && best.confidence >= codeConfidence ? best.value : null;
}

/** A tolerated value counts as the right one where there is a code, and as none where there is not. */
export function scoreMails(
  mails: readonly LabelledMail[],
  read: (mail: LabelledMail) => string | null = (mail) => shownValue(codesOf(mail)),
): Counts {
  const counts: Counts = { mails: mails.length, wanted: 0, right: 0, wrong: 0, wrongIds: [], missedIds: [] };
  for (const mail of mails) {
    const shown = read(mail);
    const isTolerated = shown !== null && mail.also.includes(shown);
    const isRight = shown !== null && (shown === mail.expected_code || isTolerated);
    if (mail.expected_code !== null) {
      counts.wanted++;
      if (isRight) counts.right++;
      else counts.missedIds.push(mail.id);
    }
    if (shown === null || isRight) continue;
    counts.wrong++;
    counts.wrongIds.push(mail.id);
  }
  return counts;
}

/** Returns 1 where nothing was shown or wanted. */
export function ratesOf({ right, wrong, wanted }: Pick<Counts, 'right' | 'wrong' | 'wanted'>): Rates {
  return {
    precision: right + wrong === 0 ? 1 : right / (right + wrong),
    recall: wanted === 0 ? 1 : right / wanted,
  };
}

/** Groups mails by whether the rules have words of their language. */
export function byLanguageGroup(
  mails: readonly LabelledMail[],
  known: ReadonlySet<string>,
): Record<'known' | 'other', LabelledMail[]> {
  const groups: Record<'known' | 'other', LabelledMail[]> = { known: [], other: [] };
  for (const mail of mails) {
    const [primary = ''] = mail.lang.split('-');
    groups[known.has(aliases[primary] ?? primary) ? 'known' : 'other'].push(mail);
  }
  return groups;
}
