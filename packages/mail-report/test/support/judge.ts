// Judges one piece of HTML in every way, as HTML, text and header at once, and expects answers within their limits.

import { expect } from 'vitest';

import { publicTemplates } from '../../../../bench/public-templates.ts';
import { createRandom } from '../../../../test/support/random.ts';
import { checkHtmlForMailpit, checkLinksForMailpit } from '../../src/mailpit.ts';
import { createReport } from '../../src/report.ts';
import type { ReportInput } from '../../src/report-input.ts';

function toInput(html: string): ReportInput {
  return {
    subject: html.slice(0, 2_000),
    from: { name: html.slice(0, 500), email: `a@${html.slice(0, 500)}` },
    headers: [
      { name: 'List-Unsubscribe', value: html.slice(0, 50_000) },
      { name: 'DKIM-Signature', value: html.slice(0, 50_000) },
    ],
    text: html,
    html,
    attachments: [],
    sizeBytes: html.length,
    authentication: null,
    isFromPrivateNetwork: false,
  };
}

export function judge(html: string): void {
  const report = createReport(toInput(html));
  expect(report.findings.length).toBeLessThanOrEqual(200);
  expect(JSON.stringify(report).length).toBeLessThan(400_000);
  checkHtmlForMailpit(html);
  expect(checkLinksForMailpit({ html, text: html }).Links.length).toBeLessThanOrEqual(100);
}

const pieces = [...'<>"\'={}/*@:;()[]%#&\0\\', '-->', '<!--', '</style>', '<p', '\ud83d', '{{', 'url('];

/** Judges templates with random damage. */
export function judgeBroken(seed: number, count: number): void {
  const random = createRandom(seed);
  const templates = publicTemplates(50).map(({ html }) => html.slice(0, 6_000));
  for (let number = 0; number < count; number += 1) {
    let html = random.pick(templates);
    for (let times = random.below(20); times >= 0; times -= 1) {
      const at = random.below(html.length);
      const isAdded = random.below(2) === 0;
      html = `${html.slice(0, at)}${isAdded ? random.pick(pieces) : ''}${html.slice(isAdded ? at : at + random.below(60))}`;
    }
    judge(html);
  }
}
