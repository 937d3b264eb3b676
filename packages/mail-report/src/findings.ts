// The findings of a report, and their collection within limits.

import { type SourcePlace, toExcerpt } from './document/source-place.ts';

/** From the worst on. */
export const severities = ['error', 'warning', 'info'] as const;
export type Severity = (typeof severities)[number];

export interface FindingPlace {
  readonly part: 'html' | 'text' | 'header' | 'attachment' | 'message';
  /** The name of the header field or the id of the attachment; null elsewhere. */
  readonly name: string | null;
  /** From 1, in the HTML or the text as decoded; null elsewhere. */
  readonly line: number | null;
  readonly column: number | null;
  /** The source from there on, shortened; '' where there is none. */
  readonly excerpt: string;
}

export interface Finding {
  /** Such as `links/http`; stays the same between versions. */
  readonly rule: string;
  readonly severity: Severity;
  /** A sentence about this message. */
  readonly message: string;
  /** A sentence about what to do. */
  readonly advice: string;
  readonly place: FindingPlace;
}

export type Rated = Pick<Finding, 'rule' | 'severity' | 'advice'>;

const perRuleMax = 10;
const findingsMax = 200;
const messageMaxChars = 300;

export class Findings {
  readonly #kept: Finding[] = [];
  readonly #perRule = new Map<string, number>();
  readonly counts: Record<Severity, number> = { error: 0, warning: 0, info: 0 };

  add({ rule, severity, advice }: Rated, message: string, place: FindingPlace): void {
    const count = (this.#perRule.get(rule) ?? 0) + 1;
    this.#perRule.set(rule, count);
    this.counts[severity] += 1;
    if (count > perRuleMax || this.#kept.length >= findingsMax) return;
    const clean = message.replaceAll(/[\p{Surrogate}\p{Cc}]/gu, '\ufffd');
    const text = clean.length <= messageMaxChars ? clean : `${clean.slice(0, messageMaxChars - 1)}…`;
    this.#kept.push({ rule, severity, message: text, advice, place });
  }

  has(rule: string): boolean {
    return this.#perRule.has(rule);
  }

  /** The worst first, else in the order in which they were found. */
  list(): Finding[] {
    return severities.flatMap((severity) => this.#kept.filter((one) => one.severity === severity));
  }

  /** How many were found beyond those listed. */
  get omitted(): number {
    return severities.reduce((sum, severity) => sum + this.counts[severity], 0) - this.#kept.length;
  }
}

export function inMessage(): FindingPlace {
  return { part: 'message', name: null, line: null, column: null, excerpt: '' };
}

export function inHeader(name: string, value = ''): FindingPlace {
  return { part: 'header', name, line: null, column: null, excerpt: toExcerpt(value) };
}

export function inAttachment(id: string, filename: string): FindingPlace {
  return { part: 'attachment', name: id, line: null, column: null, excerpt: toExcerpt(filename) };
}

export function inSource(part: 'html' | 'text', place: SourcePlace): FindingPlace {
  return { part, name: null, ...place };
}
