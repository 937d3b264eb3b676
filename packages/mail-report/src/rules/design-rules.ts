// Rules about contrast and dark mode, by what the styles say: nothing is drawn.

import type { HtmlElement } from '../document/html-document.ts';
import type { Rated } from '../findings.ts';
import { inMessage } from '../findings.ts';
import { contrastOf, luminanceOf, toHex } from './colors.ts';
import { readTextLooks, type TextLook } from './text-looks.ts';
import { type HtmlSubject, placeOf } from './subject-of-rules.ts';

const lowContrast: Rated = {
  rule: 'contrast/low',
  severity: 'warning',
  advice: 'Choose colours with a contrast of 4.5 or more (3 for large text; WCAG 2.2, 1.4.3).',
};
const unstated: Rated = {
  rule: 'dark-mode/not-declared',
  severity: 'info',
  advice:
    'Add `<meta name="color-scheme" content="light dark">` with styles for `prefers-color-scheme: dark`, or `light only`: ' +
    'without it, each mail program changes the colours as it likes.',
};
const darkText: Rated = {
  rule: 'dark-mode/text-without-background',
  severity: 'info',
  advice:
    'Set the background where you set the colour of text, so that a dark one never lies behind dark text.',
};
const promised: Rated = { ...darkText, severity: 'warning' };

/** The background of a message in dark mode. */
const darkBackground = { r: 30, g: 30, b: 30, a: 1 };

export function checkDesign(subject: HtmlSubject): readonly TextLook[] {
  const looks = readTextLooks(subject);
  const { document, findings } = subject;
  const scheme = readScheme(subject);
  const seen = new Set<string>();
  let isColored = false;
  let hasDarkText = false;
  for (const element of document.elements) {
    const look = looks[element.order];
    if (look === undefined) continue;
    isColored ||= look.isColored || look.hasBackground;
    if (look.isHidden || !/[\p{L}\p{N}]/u.test(element.text)) continue;
    checkContrast(subject, { element, look, seen });
    if (hasDarkText || look.hasBackground || !look.isColored) continue;
    if (luminanceOf(look.color) < 0.5 && contrastOf(look.color, darkBackground) < 3) {
      hasDarkText = true;
      findings.add(
        scheme === 'dark' ? promised : darkText,
        `Text in ${toHex(look.color)} has no background of its own; on a dark one it can hardly be read.`,
        placeOf(subject, element),
      );
    }
  }
  if (isColored && scheme === undefined) {
    findings.add(
      unstated,
      'The message sets colours and does not say whether they suit dark mode.',
      inMessage(),
    );
  }
  return looks;
}

interface Seen {
  readonly element: HtmlElement;
  readonly look: TextLook;
  /** Pairs of colours already reported. */
  readonly seen: Set<string>;
}

function checkContrast(subject: HtmlSubject, { element, look, seen }: Seen): void {
  const { color, background, isColored, hasBackground, fontSize, isBold } = look;
  if (background === undefined || (!isColored && !hasBackground)) return;
  const wanted = fontSize >= 24 || (isBold && fontSize >= 18.6) ? 3 : 4.5;
  const contrast = contrastOf(color, background);
  const pair = `${toHex(color)} on ${toHex(background)}`;
  if (contrast >= wanted || seen.has(pair)) return;
  seen.add(pair);
  subject.findings.add(
    lowContrast,
    `Text in ${pair} has a contrast of ${contrast.toFixed(1)}.`,
    placeOf(subject, element),
  );
}

/** Returns `dark` when the sender promises colours for it, undefined when nothing is declared. */
function readScheme({ document: { elements } }: HtmlSubject): 'light' | 'dark' | undefined {
  const schemes = elements.flatMap(({ name, attributes, text }) => {
    if (name === 'style') {
      if (/prefers-color-scheme\s?:\s?dark/i.test(text)) return ['dark'];
      return /(?:^|[\s;{])(?:supported-)?color-schemes?\s?:\s?([a-z ]{1,40})/i.exec(text)?.[1] ?? [];
    }
    const isScheme = name === 'meta' && /^(?:supported-)?color-schemes?$/i.test(attributes.get('name') ?? '');
    return isScheme ? [attributes.get('content') ?? ''] : [];
  });
  if (schemes.length === 0) return undefined;
  return schemes.some((text) => /dark/i.test(text)) ? 'dark' : 'light';
}
