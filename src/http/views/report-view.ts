// A report on a message as callers see it.

import type { MailReport } from '#mail-report/report';
import { type Static, Type } from '#http-parts/json-schema';
import { count, orNull, text } from './schemas.ts';

const severity = Type.Enum(['error', 'warning', 'info'], {
  description: 'How bad it is: `error`, `warning` or `info`.',
});

export const findingSchema = Type.Object({
  rule: text('Such as `links/http`; the same in later versions.'),
  severity,
  message: text('One sentence about this message, in English.'),
  advice: text('One sentence about what to do.'),
  part: Type.Enum(['html', 'text', 'header', 'attachment', 'message'], { description: 'Where it is.' }),
  name: orNull(text('The name of the header field, or the id of the attachment; null elsewhere.')),
  line: orNull(count('In the HTML or text as the sender wrote it, from 1; null elsewhere.')),
  column: orNull(count('From 1; null elsewhere.')),
  excerpt: text('The source from there on, shortened; empty where there is none.'),
});

export const mailClientSchema = Type.Object({
  name: text('That of the mail program, such as `Outlook Windows`.'),
  family: Type.String(),
  platform: Type.String(),
  version: text('The newest that was tested.'),
  unsupported: Type.Array(Type.String(), {
    description: 'Features that the message uses and the program lacks, such as `css-display-grid`.',
  }),
  partial: Type.Array(Type.String(), { description: 'Those that it supports in part.' }),
});

export const reportSchema = Type.Object({
  id: count('The message’s id.'),
  worst: orNull(severity),
  errors: count('How many findings are errors.'),
  warnings: count('How many are warnings.'),
  infos: count('How many only inform.'),
  findings: Type.Array(findingSchema, {
    description: 'The worst first; at most 10 of one rule and 200 in all.',
  }),
  omitted: count('How many are counted and not listed.'),
  size: count('Bytes of the message.'),
  html_size: count('Bytes of its HTML; Gmail cuts off what is beyond 104,448 (102 KB).'),
  has_text: Type.Boolean({ description: 'Whether it has a text part.' }),
  likeness: orNull(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'The share of words that text and HTML have in common; null if one is missing.',
    }),
  ),
  elements: count('Elements of the HTML.'),
  links: count('Links in the HTML.'),
  pictures: count('Pictures in the HTML.'),
  preheader: text('The text that lists of mail show beside the subject.'),
  lang: orNull(text('The language that the HTML says.')),
  dir: orNull(text('The direction that the HTML says.')),
  clients: Type.Array(mailClientSchema, {
    description: 'Mail programs that lack any of the features used, by the data of caniemail.com.',
  }),
});

export function toReportView(id: number, report: MailReport): Static<typeof reportSchema> {
  const { worst, counts, findings, omitted, facts, clients } = report;
  return {
    id,
    worst,
    errors: counts.error,
    warnings: counts.warning,
    infos: counts.info,
    findings: findings.map(({ place, ...finding }) => ({ ...finding, ...place })),
    omitted,
    size: facts.sizeBytes,
    html_size: facts.htmlBytes,
    has_text: facts.hasText,
    likeness: facts.likeness,
    elements: facts.elements,
    links: facts.links,
    pictures: facts.pictures,
    preheader: facts.preheader,
    lang: facts.lang,
    dir: facts.dir,
    clients: clients.map((client) => ({
      ...client,
      unsupported: [...client.unsupported],
      partial: [...client.partial],
    })),
  };
}

export const reportExample: Static<typeof reportSchema> = {
  id: 1,
  worst: 'warning',
  errors: 0,
  warnings: 1,
  infos: 0,
  findings: [
    {
      rule: 'links/http',
      severity: 'warning',
      message: 'The link to brook.example is not encrypted.',
      advice: 'Link by https: mail programs and proxies warn of http, and others can read it.',
      part: 'html',
      name: null,
      line: 12,
      column: 8,
      excerpt: 'href="http://brook.example/verify?c=482913">Confirm</a></p>',
    },
  ],
  omitted: 0,
  size: 1342,
  html_size: 610,
  has_text: true,
  likeness: 0.94,
  elements: 9,
  links: 1,
  pictures: 0,
  preheader: '482913 is your code. It is good for ten minutes.',
  lang: 'en',
  dir: null,
  clients: [],
};
