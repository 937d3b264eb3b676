// Which mail programs support which feature of HTML and CSS, from caniemail's data. Unpacked when it is first asked for,
// and feature by feature.
import { packedFeatures } from './features.ts';
import { type ClientSupport, findLacking, findNewest, type LackingSupport } from './newest-clients.ts';

interface PackedFeature {
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly url: string;
  readonly category: string;
  readonly tags: readonly string[];
  /** By family and platform: `14 n|15.0 y #1`. */
  readonly support: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly notes: Readonly<Record<string, string>>;
}

interface PackedTable {
  readonly family: Readonly<Record<string, string>>;
  readonly platform: Readonly<Record<string, string>>;
  readonly features: readonly PackedFeature[];
}

/** In Markdown: description and notes. */
export type Feature = Omit<PackedFeature, 'support'>;

export interface SupportTable {
  find(slug: string): Feature | undefined;
  /** Every version of every mail program, in the order of the data. */
  listSupport(slug: string): readonly ClientSupport[];
  /** Those that lack it in their newest version, those that most people use first. */
  listLacking(slug: string): readonly LackingSupport[];
  familyName(family: string): string;
  platformName(platform: string): string;
  /** Names of families by platform, sorted. */
  readonly platforms: Readonly<Record<string, readonly string[]>>;
}

let table: SupportTable | undefined;

export function loadSupportTable(): SupportTable {
  return (table ??= unpack(JSON.parse(packedFeatures) as PackedTable));
}

function unpack({ family, platform, features }: PackedTable): SupportTable {
  const bySlug = new Map(features.map((one) => [one.slug, one]));
  const listSupport = remember((slug) => toSupport(bySlug.get(slug)?.support ?? {}));
  return {
    find: (slug) => bySlug.get(slug),
    listSupport,
    listLacking: remember((slug) => findLacking(findNewest(listSupport(slug)))),
    familyName: (name) => family[name] ?? name,
    platformName: (name) => platform[name] ?? name,
    platforms: toPlatforms(features, family),
  };
}

/** There are as many slugs as features. */
function remember<T>(make: (slug: string) => T): (slug: string) => T {
  const made = new Map<string, T>();
  return (slug) => {
    const known = made.get(slug) ?? make(slug);
    made.set(slug, known);
    return known;
  };
}

function toSupport(packed: PackedFeature['support']): ClientSupport[] {
  return Object.entries(packed).flatMap(([family, platforms]) =>
    Object.entries(platforms).flatMap(([platform, versions]) =>
      versions.split('|').map((entry) => {
        const gap = entry.indexOf(' ');
        return { family, platform, version: entry.slice(0, gap), support: entry.slice(gap + 1) };
      }),
    ),
  );
}

function toPlatforms(features: readonly PackedFeature[], names: PackedTable['family']) {
  const found = new Map<string, Set<string>>();
  for (const { support } of features) {
    for (const [family, platforms] of Object.entries(support)) {
      for (const platform of Object.keys(platforms)) {
        const families = found.get(platform) ?? new Set();
        found.set(platform, families.add(names[family] ?? family));
      }
    }
  }
  return Object.fromEntries([...found].map(([platform, families]) => [platform, [...families].sort()]));
}
