// Rules about what mail programs show: features of HTML and CSS that some of them lack, by caniemail's data.

import type { HtmlElement } from '../document/html-document.ts';
import { type FindingPlace, inMessage, inSource, type Severity } from '../findings.ts';
import type { FirstUse } from '../support/found-features.ts';
import { type ClientSupport, isMajor } from '../support/newest-clients.ts';
import { loadSupportTable, type SupportTable } from '../support/support-table.ts';
import { type HtmlSubject, placeOf } from './subject-of-rules.ts';

/** A mail program with the features that the message uses and it lacks. */
export interface LackingClient {
  /** Such as `Outlook Windows`. */
  readonly name: string;
  readonly family: string;
  readonly platform: string;
  /** The newest that was tested. */
  readonly version: string;
  /** Features by their name in the data. */
  readonly unsupported: readonly string[];
  readonly partial: readonly string[];
}

/** As many of them as make a feature unsafe. */
const manyMajor = 4;
const namedMax = 6;

export function checkSupport(subject: HtmlSubject): LackingClient[] {
  const { features, findings } = subject;
  const table = loadSupportTable();
  const clients = new Map<string, { newest: ClientSupport; unsupported: string[]; partial: string[] }>();
  if (features.scripts.count > 0) {
    findings.add(
      {
        rule: 'support/html-script',
        severity: 'error',
        advice: 'Remove it: no mail program runs scripts, and many servers refuse or strip them.',
      },
      `The HTML has ${features.scripts.count === 1 ? 'a script' : `${features.scripts.count} scripts`}.`,
      toPlace(subject, features.scripts.first),
    );
  }
  for (const [slug, { count, first }] of features.features) {
    const feature = table.find(slug);
    if (feature === undefined) continue;
    const lacking: ClientSupport[] = [];
    for (const { kind, client, key } of table.listLacking(slug)) {
      const known = clients.get(key) ?? { newest: client, unsupported: [], partial: [] };
      known[kind].push(slug);
      clients.set(key, known);
      if (kind === 'unsupported') lacking.push(client);
    }
    if (lacking.length === 0) continue;
    findings.add(
      {
        rule: `support/${slug}`,
        severity: rate(lacking),
        advice: `Make sure that the message can be read without it. ${feature.url}`,
      },
      `${feature.title} (${count === 1 ? 'once' : `${count} times`}) is not supported by ${nameThem(table, lacking)}.`,
      toPlace(subject, first),
    );
  }
  return [...clients.values()]
    .map(({ newest: { family, platform, version }, unsupported, partial }) => ({
      name: nameOf(table, { family, platform }),
      family,
      platform,
      version,
      unsupported,
      partial,
    }))
    .sort((one, other) => other.unsupported.length - one.unsupported.length);
}

function rate(lacking: readonly ClientSupport[]): Severity {
  return lacking.filter(isMajor).length >= manyMajor ? 'warning' : 'info';
}

function nameThem(table: SupportTable, lacking: readonly ClientSupport[]): string {
  const names = lacking.slice(0, namedMax).map((one) => nameOf(table, one));
  const rest = lacking.length - names.length;
  return rest > 0 ? `${names.join(', ')} and ${rest} more` : names.join(', ');
}

function nameOf(
  table: SupportTable,
  { family, platform }: Pick<ClientSupport, 'family' | 'platform'>,
): string {
  return `${table.familyName(family)} ${table.platformName(platform)}`;
}

function toPlace(subject: HtmlSubject, first: FirstUse | undefined): FindingPlace {
  if (first === undefined) return inMessage();
  if (first.kind === 'element') return placeOf(subject, first.element, first.attribute);
  return inSource('html', subject.lines.placeOf(offsetInSheet(subject, first.element, first.offset)));
}

/** The text of a style element follows its tag, and is the same in the source. */
function offsetInSheet({ document: { html } }: HtmlSubject, element: HtmlElement, offset: number): number {
  const start = html.indexOf('>', element.offset ?? 0) + 1;
  return start + offset;
}
