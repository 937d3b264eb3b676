// Rules about pictures: their addresses, descriptions and weight, and those that are not meant to be seen.

import type { HtmlElement } from '../document/html-document.ts';
import { readVisibleText } from '../document/visible-text.ts';
import { inAttachment, inMessage, type Rated } from '../findings.ts';
import type { ReportedAttachment } from '../report-input.ts';
import { isLocalHost, readHost } from './link-hosts.ts';
import { toKilobytes } from './size-rules.ts';
import { type HtmlSubject, placeOf } from './subject-of-rules.ts';

const rules = {
  noAlt: {
    rule: 'pictures/no-alt',
    severity: 'warning',
    advice:
      'Describe the picture in `alt`, or write `alt=""` if it says nothing: many readers do not load pictures.',
  },
  noSize: {
    rule: 'pictures/no-size',
    severity: 'info',
    advice: 'Give `width` as an attribute, in pixels: Outlook shows the file’s own size otherwise.',
  },
  relative: {
    rule: 'pictures/relative',
    severity: 'error',
    advice: 'Write a whole address that begins with https://.',
  },
  http: {
    rule: 'pictures/http',
    severity: 'warning',
    advice: 'Load pictures by https: others are not shown everywhere.',
  },
  data: {
    rule: 'pictures/data',
    severity: 'warning',
    advice: 'Link to the picture or attach it with a Content-ID: Gmail and Outlook show no data: addresses.',
  },
  missing: {
    rule: 'pictures/missing-part',
    severity: 'error',
    advice: 'Attach the picture with that Content-ID, within multipart/related.',
  },
  hidden: {
    rule: 'pictures/hidden',
    severity: 'info',
    advice: 'Know that many mail programs block or fetch pixels like this one, so that they count little.',
  },
  heavy: {
    rule: 'pictures/heavy',
    severity: 'warning',
    advice: 'Make the picture smaller: at most twice the width at which it is shown, and well compressed.',
  },
  unused: {
    rule: 'pictures/unused-part',
    severity: 'info',
    advice: 'Remove the part, or refer to it: some mail programs list it as an attachment.',
  },
  only: {
    rule: 'pictures/only',
    severity: 'warning',
    advice:
      'Write what matters as text: pictures are often not loaded, and filters distrust mail without text.',
  },
} as const satisfies Readonly<Record<string, Rated>>;

const heavyBytes = 500 * 1024;
const heavyTotalBytes = 2 * 1024 * 1024;
const leastTextChars = 60;

export function checkPictures(subject: HtmlSubject): void {
  const { document, findings, input } = subject;
  const pictures = document.elements.filter(({ name }) => name === 'img');
  const parts = new Map(input.attachments.map((one) => [toId(one.contentId ?? ''), one]));
  const used = new Set<ReportedAttachment>();
  for (const element of pictures) checkPicture({ ...subject, element, parts, used });
  noteStyled(subject, parts, used);
  let total = 0;
  for (const part of input.attachments) {
    if (!part.contentType.startsWith('image/')) continue;
    total += part.size;
    const place = inAttachment(part.id, part.filename);
    if (part.size > heavyBytes) {
      findings.add(rules.heavy, `The picture has ${toKilobytes(part.size)}.`, place);
    }
    if (part.disposition === 'inline' && part.contentId !== null && !used.has(part)) {
      findings.add(rules.unused, 'The HTML does not refer to this inline picture.', place);
    }
  }
  if (total > heavyTotalBytes && !findings.has(rules.heavy.rule)) {
    findings.add(rules.heavy, `All pictures together have ${toKilobytes(total)}.`, inMessage());
  }
  const [first] = pictures;
  const chars = readVisibleText(document).join(' ').replaceAll(/\s+/g, ' ').trim().length;
  if (first !== undefined && chars < leastTextChars) {
    findings.add(
      rules.only,
      `The message has pictures and only ${chars} characters of text.`,
      placeOf(subject, first),
    );
  }
}

interface Picture extends HtmlSubject {
  readonly element: HtmlElement;
  /** By Content-ID. */
  readonly parts: ReadonlyMap<string, ReportedAttachment>;
  /** Those that the HTML refers to. */
  readonly used: Set<ReportedAttachment>;
}

function toId(text: string): string {
  return text.replaceAll(/[<>]/g, '').trim();
}

function report(picture: Picture, rule: keyof typeof rules, message: string): void {
  picture.findings.add(rules[rule], message, placeOf(picture, picture.element));
}

function checkPicture(picture: Picture): void {
  const { attributes } = picture.element;
  const source = attributes.get('src')?.trim() ?? '';
  const isHidden = isTiny(attributes) || isUnseen(picture.element);
  if (isHidden && /^https?:/i.test(source)) {
    report(
      picture,
      'hidden',
      `The picture from ${readHost(source)?.name ?? 'elsewhere'} is not meant to be seen.`,
    );
  }
  const isDecoration = attributes.get('role') === 'presentation' || attributes.get('aria-hidden') === 'true';
  if (!attributes.has('alt') && !isHidden && !isDecoration) {
    report(picture, 'noAlt', 'The picture has no description.');
  }
  if (!isHidden && !attributes.has('width') && !/width/i.test(attributes.get('style') ?? '')) {
    report(picture, 'noSize', 'The picture has no width.');
  }
  checkSource(picture, source);
}

function checkSource(picture: Picture, source: string): void {
  if (/^cid:/i.test(source)) {
    const id = source.slice(4);
    const part = picture.parts.get(toId(id)) ?? picture.parts.get(toId(decode(id)));
    if (part !== undefined) picture.used.add(part);
    else report(picture, 'missing', 'The picture refers to a part that the message does not have.');
  } else if (/^data:/i.test(source)) {
    report(picture, 'data', `The picture is within the HTML, ${toKilobytes(source.length)} of it.`);
  } else if (/^http:/i.test(source)) {
    const host = readHost(source);
    if (host === undefined) report(picture, 'relative', 'The address of the picture leads nowhere.');
    else if (!isLocalHost(host.name)) {
      report(picture, 'http', `The picture from ${host.name} is not loaded by https.`);
    }
  } else if (!/^https:\/\/[^/]/i.test(source) && !/^(?:\{|<%|\$\{|\*\||\[\[|%%)/.test(source)) {
    const what = source === '' ? 'The picture has no address.' : 'The address of the picture is relative.';
    report(picture, 'relative', what);
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isTiny(attributes: HtmlElement['attributes']): boolean {
  return ['width', 'height'].every((name) => /^\s*[01](?:px)?\s*$/.test(attributes.get(name) ?? ''));
}

function isUnseen({ attributes }: HtmlElement): boolean {
  return /(?:^|[;\s])(?:display\s?:\s?none|visibility\s?:\s?hidden|opacity\s?:\s?0\s?(?:;|$))/i.test(
    attributes.get('style') ?? '',
  );
}

/** Backgrounds refer to parts too. */
function noteStyled(
  { document: { html } }: HtmlSubject,
  parts: Picture['parts'],
  used: Set<ReportedAttachment>,
): void {
  for (const [, id = ''] of html.matchAll(/cid:([^\s"'()<>]{1,250})/gi)) {
    const part = parts.get(toId(id)) ?? parts.get(toId(decode(id)));
    if (part !== undefined) used.add(part);
  }
}
