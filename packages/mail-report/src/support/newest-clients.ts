// The newest version of each mail program that a feature was tested in, and which programs most people use.

export interface ClientSupport {
  readonly family: string;
  readonly platform: string;
  readonly version: string;
  /** As in the data: `y`, `n`, `a` for a part of it, `u` for unknown, perhaps with notes: `a #1`. */
  readonly support: string;
}

/** Those that most people read mail with. */
const major = new Set([
  'apple-mail ios',
  'apple-mail macos',
  'gmail desktop-webmail',
  'gmail ios',
  'gmail android',
  'outlook windows',
  'outlook outlook-com',
  'outlook macos',
  'outlook ios',
  'outlook android',
  'yahoo desktop-webmail',
  'samsung-email android',
  'thunderbird macos',
]);

export function isMajor(client: Pick<ClientSupport, 'family' | 'platform'>): boolean {
  return major.has(keyOf(client));
}

function keyOf({ family, platform }: Pick<ClientSupport, 'family' | 'platform'>): string {
  return `${family} ${platform}`;
}

/** The newest version of each program, those that most people use first. */
export function findNewest(support: readonly ClientSupport[]): ClientSupport[] {
  const newest = new Map<string, ClientSupport>();
  for (const one of support) {
    const key = keyOf(one);
    const known = newest.get(key);
    if (known === undefined || compareVersions(one.version, known.version) > 0) newest.set(key, one);
  }
  const rank = (one: ClientSupport): number => (isMajor(one) ? 0 : 1);
  return [...newest.values()].sort((one, other) => rank(one) - rank(other));
}

/** A program that lacks a feature, or shows only a part of it. */
export interface LackingSupport {
  readonly kind: 'unsupported' | 'partial';
  readonly client: ClientSupport;
  /** Family and platform. */
  readonly key: string;
}

export function findLacking(newest: readonly ClientSupport[]): LackingSupport[] {
  return newest.flatMap((client) => {
    const kind = kinds.get(client.support.charAt(0));
    return kind === undefined ? [] : [{ kind, client, key: keyOf(client) }];
  });
}

const kinds: ReadonlyMap<string, LackingSupport['kind']> = new Map([
  ['n', 'unsupported'],
  ['a', 'partial'],
]);

/** Versions are numbers with dots, or a year and perhaps a month; of a date and a number, the later in the list is newer. */
function compareVersions(one: string, other: string): number {
  const isDate = (text: string): boolean => /^20\d\d(?:-\d\d)?$/.test(text);
  if (isDate(one) !== isDate(other)) return 1;
  const parts = (text: string): number[] => (text.match(/\d+/g) ?? []).map(Number);
  const [ones, others] = [parts(one), parts(other)];
  for (let at = 0; at < Math.max(ones.length, others.length); at += 1) {
    const difference = (ones[at] ?? 0) - (others[at] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
