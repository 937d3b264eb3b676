// The result of Mailpit's HTML check for a document, in its own form.
import type { HtmlDocument } from '../document/html-document.ts';
import {
  closedBody,
  elementTests,
  pictureTestCount,
  sheetTests,
  styleTestCount,
  unitTests,
} from './feature-tests.ts';
import { findFeatures } from './found-features.ts';
import { markdownToHtml } from './markdown.ts';
import type { ClientSupport } from './newest-clients.ts';
import { loadSupportTable, type SupportTable } from './support-table.ts';

export interface MailpitWarning {
  readonly Slug: string;
  readonly Title: string;
  readonly Description: string;
  readonly URL: string;
  readonly Category: string;
  readonly Tags: readonly string[];
  readonly Keywords: string;
  readonly Results: readonly MailpitResult[];
  readonly NotesByNumber: Readonly<Record<string, string>>;
  readonly Score: MailpitScore;
}

interface MailpitResult {
  readonly Name: string;
  readonly Platform: string;
  readonly Family: string;
  readonly Version: string;
  readonly Support: string;
  readonly NoteNumber: string;
}

/** `Found` counts, all others are in percent. */
interface MailpitScore {
  readonly Found: number;
  readonly Supported: number;
  readonly Partial: number;
  readonly Unsupported: number;
}

export interface MailpitHtmlCheck {
  readonly Warnings: readonly MailpitWarning[];
  readonly Platforms: Readonly<Record<string, readonly string[]>>;
  readonly Total: {
    readonly Tests: number;
    readonly Nodes: number;
    readonly Supported: number;
    readonly Partial: number;
    readonly Unsupported: number;
  };
}

export function toMailpitCheck(document: HtmlDocument): MailpitHtmlCheck {
  const table = loadSupportTable();
  const { features, scripts } = findFeatures(document);
  const found = [...features].flatMap(([slug, { count }]) => toWarning(table, slug, count) ?? []);
  const all = scripts.count > 0 ? [scriptWarning(scripts.count), ...found] : found;
  const nodes = countNodes(document);
  const weigh = ({ Score }: MailpitWarning, part: 'Partial' | 'Unsupported'): number =>
    (Score[part] * Score.Found) / nodes;
  const most = (part: 'Partial' | 'Unsupported'): number =>
    all.reduce((known, one) => Math.max(known, weigh(one, part)), 0);
  const [partial, unsupported] = [most('Partial'), most('Unsupported')];
  const rank = (one: MailpitWarning): number => weigh(one, 'Partial') + weigh(one, 'Unsupported');
  return {
    Warnings: all.toSorted((one, other) => rank(other) - rank(one)),
    Platforms: table.platforms,
    Total: {
      Tests: countTests(features, scripts.count),
      Nodes: nodes,
      Supported: 100 - partial - unsupported,
      Partial: partial,
      Unsupported: unsupported,
    },
  };
}

/** Mailpit counts tests of elements twice when they find something, all but that of the body. */
function countTests(features: ReadonlyMap<string, unknown>, scripts: number): number {
  const elements = Object.keys(elementTests);
  return (
    (scripts > 0 ? 1 : 0) +
    1 +
    elements.length +
    elements.filter((slug) => features.has(slug)).length +
    pictureTestCount +
    styleTestCount +
    Object.keys(unitTests).length +
    Object.keys(sheetTests).length
  );
}

function countNodes({ html, elements }: HtmlDocument): number {
  const hasBody = closedBody.test(html);
  const aside = new Set(['html', 'head', 'meta']);
  const body = elements.find(({ name, parent }) => name === 'body' && parent?.name === 'html');
  const isInBody = (order: number): boolean => body !== undefined && order > body.order;
  return elements.filter(({ name, order }) =>
    hasBody ? !aside.has(name) : isInBody(order) || name === 'script',
  ).length;
}

/** All but how often it was found, by slug. */
const warnings = new Map<string, MailpitWarning>();

function toWarning(table: SupportTable, slug: string, count: number): MailpitWarning | undefined {
  const warning = warnings.get(slug) ?? makeWarning(table, slug);
  if (warning === undefined) return undefined;
  warnings.set(slug, warning);
  return { ...warning, Score: { ...warning.Score, Found: count } };
}

function makeWarning(table: SupportTable, slug: string): MailpitWarning | undefined {
  const feature = table.find(slug);
  if (feature === undefined) return undefined;
  const support = table.listSupport(slug);
  const results = support.map((one) => toResult(table, one));
  const share = (wanted: string): number =>
    (100 * results.filter(({ Support }) => Support === wanted).length) / results.length;
  return {
    Slug: slug,
    Title: feature.title,
    Description: markdownToHtml(feature.description),
    URL: feature.url,
    Category: feature.category,
    Tags: feature.tags,
    Keywords: '',
    Results: results,
    NotesByNumber: Object.fromEntries(
      Object.entries(feature.notes).map(([number, note]) => [number, markdownToHtml(note)]),
    ),
    Score: { Found: 0, Supported: share('yes'), Partial: share('partial'), Unsupported: share('no') },
  };
}

/** Anything that is not a plain yes or no is partial in Mailpit, the unknown too. */
function toResult(table: SupportTable, { family, platform, version, support }: ClientSupport): MailpitResult {
  const isPartial = support !== 'y' && support !== 'n';
  return {
    Name: `${table.familyName(family)} ${table.platformName(platform)} (${version})`,
    Platform: platform,
    Family: family,
    Version: version,
    Support: isPartial ? 'partial' : support === 'y' ? 'yes' : 'no',
    NoteNumber: isPartial ? (/ #\d*(\d)$/.exec(support)?.[1] ?? '') : '',
  };
}

function scriptWarning(count: number): MailpitWarning {
  return {
    Slug: 'html-script',
    Title: '<script> element',
    Description: 'JavaScript is not supported in any email client.',
    URL: '',
    Category: 'html',
    Tags: [],
    Keywords: '',
    Results: [],
    NotesByNumber: {},
    Score: { Found: count, Supported: 0, Partial: 0, Unsupported: 100 },
  };
}
