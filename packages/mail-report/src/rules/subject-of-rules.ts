// The subject of every rule: the message, its HTML as elements, and where to add findings.

import type { HtmlDocument, HtmlElement } from '../document/html-document.ts';
import type { SourceLines } from '../document/source-place.ts';
import { type FindingPlace, type Findings, inSource } from '../findings.ts';
import type { ReportInput } from '../report-input.ts';
import type { FoundFeatures } from '../support/found-features.ts';

export interface MessageSubject {
  readonly input: ReportInput;
  readonly findings: Findings;
}

/** For rules that need the HTML. */
export interface HtmlSubject extends MessageSubject {
  readonly document: HtmlDocument;
  readonly lines: SourceLines;
  readonly features: FoundFeatures;
}

/** The place of an element, or of one of its attributes. */
export function placeOf({ lines }: HtmlSubject, element: HtmlElement, attribute?: string): FindingPlace {
  const offset = attribute === undefined ? undefined : element.attributeOffsets?.[attribute]?.startOffset;
  return inSource('html', lines.placeOf(offset ?? offsetOf(element)));
}

/** For an element that the source implies, where the nearest that it has begins. */
function offsetOf(element: HtmlElement): number {
  for (let up: HtmlElement | undefined = element; up !== undefined; up = up.parent) {
    if (up.offset !== undefined) return up.offset;
  }
  return 0;
}

export function valuesOf({ headers }: ReportInput, name: string): string[] {
  return headers.filter((header) => header.name.toLowerCase() === name).map(({ value }) => value);
}
