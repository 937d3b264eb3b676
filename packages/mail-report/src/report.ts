// Entry point: judges a message as its sender would like to know before sending. Pure and within limits; run it in a
// separate thread, because senders control how long it takes. What it finds is for people and tests, and says nothing
// about whether the message is wanted.

import { ExcessiveHtmlError, type HtmlDocument, readHtmlDocument } from './document/html-document.ts';
import { SourceLines } from './document/source-place.ts';
import { type Finding, Findings, inMessage, type Severity } from './findings.ts';
import type { ReportInput } from './report-input.ts';
import { checkDesign } from './rules/design-rules.ts';
import { checkHeader } from './rules/header-rules.ts';
import { checkLanguage } from './rules/language-rules.ts';
import { checkLeftovers } from './rules/leftover-rules.ts';
import { checkLinks } from './rules/link-rules.ts';
import { checkPictures } from './rules/picture-rules.ts';
import { checkPreheader } from './rules/preheader-rules.ts';
import { checkSender } from './rules/sender-rules.ts';
import { checkSize } from './rules/size-rules.ts';
import type { HtmlSubject, MessageSubject } from './rules/subject-of-rules.ts';
import { checkSupport, type LackingClient } from './rules/support-rules.ts';
import { checkLikeness, checkTextPart } from './rules/text-rules.ts';
import { checkUnsubscribe } from './rules/unsubscribe-rules.ts';
import { findFeatures } from './support/found-features.ts';

export interface ReportFacts {
  readonly sizeBytes: number;
  /** In UTF-8; 0 without HTML. */
  readonly htmlBytes: number;
  readonly hasText: boolean;
  /** The share of words that text and HTML have in common, from 0 to 1; null when there are not both. */
  readonly likeness: number | null;
  readonly elements: number;
  readonly links: number;
  readonly pictures: number;
  /** The text that lists of mail show beside the subject. */
  readonly preheader: string;
  readonly lang: string | null;
  readonly dir: string | null;
}

export interface MailReport {
  /** The worst of all findings; null when there are none. */
  readonly worst: Severity | null;
  readonly counts: Readonly<Record<Severity, number>>;
  /** The worst first. */
  readonly findings: readonly Finding[];
  /** How many are counted and not listed. */
  readonly omitted: number;
  readonly facts: ReportFacts;
  /** Mail programs that lack any of the features used, those that lack most first. */
  readonly clients: readonly LackingClient[];
}

/** Longer HTML is not read: no mail program shows it whole. */
export const htmlMaxChars = 1024 * 1024;

export function createReport(input: ReportInput): MailReport {
  const subject: MessageSubject = { input, findings: new Findings() };
  checkHeader(subject);
  checkSender(subject);
  checkUnsubscribe(subject);
  checkSize(subject);
  checkTextPart(subject);
  const document = readDocument(subject);
  checkLeftovers(subject, document);
  const inHtml = document === undefined ? undefined : checkHtml(subject, document);
  const { counts, omitted } = subject.findings;
  const findings = subject.findings.list();
  return {
    worst: findings[0]?.severity ?? null,
    counts,
    findings,
    omitted,
    facts: {
      sizeBytes: input.sizeBytes,
      htmlBytes: input.html === null ? 0 : Buffer.byteLength(input.html),
      hasText: input.text !== null && input.text.trim() !== '',
      ...(inHtml?.facts ?? factsWithoutHtml(input.text ?? '')),
    },
    clients: inHtml?.clients ?? [],
  };
}

function readDocument({ input: { html }, findings }: MessageSubject): HtmlDocument | undefined {
  if (html === null) return undefined;
  try {
    if (html.length > htmlMaxChars) throw new ExcessiveHtmlError();
    return readHtmlDocument(html);
  } catch (error) {
    if (!(error instanceof ExcessiveHtmlError)) throw error;
    findings.add(
      {
        rule: 'size/not-read',
        severity: 'error',
        advice: 'Send less HTML, and nest it less deep: mail programs would not show it either.',
      },
      'The HTML is too large, or nested too deep, to be checked.',
      inMessage(),
    );
    return undefined;
  }
}

type HtmlFacts = Omit<ReportFacts, 'sizeBytes' | 'htmlBytes' | 'hasText'>;

function checkHtml(
  subject: MessageSubject,
  document: HtmlDocument,
): { readonly facts: HtmlFacts; readonly clients: LackingClient[] } {
  const features = findFeatures(document);
  const html: HtmlSubject = { ...subject, document, features, lines: new SourceLines(document.html) };
  if (features.inlined.isPartial) {
    subject.findings.add(
      {
        rule: 'size/styles-not-read',
        severity: 'warning',
        advice: 'Send fewer rules, with simpler selectors.',
      },
      'The style sheets have too many rules or selectors to be followed; only `style` attributes were.',
      inMessage(),
    );
  }
  const likeness = checkLikeness(html);
  const clients = checkSupport(html);
  checkLinks(html);
  checkPictures(html);
  const looks = checkDesign(html);
  const preheader = checkPreheader(html, looks);
  const { lang, dir } = checkLanguage(html);
  const count = (name: string): number => document.elements.filter((one) => one.name === name).length;
  const facts = {
    likeness,
    elements: document.elements.length,
    links: count('a'),
    pictures: count('img'),
    preheader,
    lang,
    dir,
  };
  return { facts, clients };
}

function factsWithoutHtml(text: string): HtmlFacts {
  const preheader = text.replaceAll(/\s+/g, ' ').trim().slice(0, 150);
  return { likeness: null, elements: 0, links: 0, pictures: 0, preheader, lang: null, dir: null };
}
