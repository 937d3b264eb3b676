// Rules about the preheader: the text that lists of mail show beside the subject.

import type { HtmlElement } from '../document/html-document.ts';
import type { Rated } from '../findings.ts';
import type { TextLook } from './text-looks.ts';
import { type HtmlSubject, placeOf } from './subject-of-rules.ts';

const boilerplate: Rated = {
  rule: 'preheader/boilerplate',
  severity: 'warning',
  advice:
    'Begin the body with a sentence that completes the subject, in an element that is not shown if need be.',
};
const short: Rated = { ...boilerplate, rule: 'preheader/short', severity: 'info' };
const repeats: Rated = { ...boilerplate, rule: 'preheader/repeats-subject', severity: 'info' };

const boilerplates =
  /^(?:view|see|read|open)\b.{0,40}\b(?:browser|online|web|here)|^(?:im|in deinem|in ihrem) browser\b|^(?:unsubscribe|abmelden)\b|^(?:having )?trouble (?:viewing|reading)|^if you (?:cannot|can't|can’t|are unable)|^voir (?:la version|dans)|^ver (?:en|esta)/i;
const shortChars = 25;
const previewChars = 150;
/** Fill the rest of the preview, so that nothing else is shown. */
const fillers = /[\u00ad\u034f\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff\u2007]/g;

/** Returns the beginning of the text that a list shows. */
export function checkPreheader(subject: HtmlSubject, looks: readonly TextLook[]): string {
  const { document, findings, input } = subject;
  const texts: string[] = [];
  let first: HtmlElement | undefined;
  let chars = 0;
  for (const element of document.elements) {
    if (element.name === 'title' || element.name === 'style' || element.name === 'script') continue;
    const text = element.text.replaceAll(fillers, '').replaceAll(/\s+/g, ' ').trim();
    if (text === '' || looks[element.order] === undefined) continue;
    first ??= element;
    texts.push(text);
    chars += text.length + 1;
    if (chars > previewChars) break;
  }
  const shown = texts.join(' ').slice(0, previewChars);
  if (first === undefined) return shown;
  const place = placeOf(subject, first);
  if (boilerplates.test(shown)) {
    findings.add(boilerplate, `Lists show “${shown.slice(0, 60)}” beside the subject.`, place);
  } else if (fold(shown).startsWith(fold(input.subject)) && input.subject.trim() !== '') {
    findings.add(repeats, 'Lists show the subject twice: the body begins with it.', place);
  } else if (shown.length < shortChars) {
    findings.add(short, `Lists have only “${shown}” to show beside the subject.`, place);
  }
  return shown;
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
