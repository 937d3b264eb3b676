// Compares the answers of two services field by field, and sorts the differences by the judgements on them.

/** A difference that was looked at and is meant to stay. */
export interface Judgement {
  /** Matches the path of a field, with `*` for each index and each name of a map. */
  readonly path: RegExp;
  /** Whether it is this difference; any when absent. */
  readonly isMeant?: (difference: Difference) => boolean;
  readonly reason: string;
}

export interface Difference {
  /** The name of the mail. */
  readonly mail: string;
  readonly path: string;
  readonly theirs: unknown;
  readonly ours: unknown;
}

export interface Comparison {
  readonly fields: number;
  readonly unjudged: readonly Difference[];
  /** Counts by reason. */
  readonly judged: ReadonlyMap<string, number>;
}

/** Flattens a value to its fields; an absent one differs from every other. */
function flatten(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [[path, value]];
  const entries = Object.entries(value);
  if (entries.length === 0) return [[path, Array.isArray(value) ? '[]' : '{}']];
  return entries.flatMap(([name, one]) => flatten(one, path === '' ? name : `${path}.${name}`));
}

export function compareAnswers(
  pairs: readonly { readonly mail: string; readonly theirs: unknown; readonly ours: unknown }[],
  judgements: readonly Judgement[],
): Comparison {
  let fields = 0;
  const unjudged: Difference[] = [];
  const judged = new Map<string, number>();
  for (const { mail, theirs, ours } of pairs) {
    const [their, our] = [new Map(flatten(theirs)), new Map(flatten(ours))];
    for (const path of new Set([...their.keys(), ...our.keys()])) {
      fields += 1;
      const difference = { mail, path, theirs: their.get(path), ours: our.get(path) };
      if (Object.is(difference.theirs, difference.ours)) continue;
      const judgement = judgements.find((one) => one.path.test(path) && (one.isMeant?.(difference) ?? true));
      if (!judgement) unjudged.push(difference);
      else judged.set(judgement.reason, (judged.get(judgement.reason) ?? 0) + 1);
    }
  }
  return { fields, unjudged, judged };
}

/** One line for each class of differences, with an example. */
export function describeDifferences(differences: readonly Difference[]): string {
  const classes = new Map<string, Difference[]>();
  for (const one of differences) {
    const path = one.path.replace(/\.\d+/g, '.*');
    classes.set(path, [...(classes.get(path) ?? []), one]);
  }
  return [...classes]
    .map(([path, all]) => {
      const { mail, theirs, ours } = all[0] ?? { mail: '', theirs: '', ours: '' };
      const show = (value: unknown): string => (JSON.stringify(value) ?? 'absent').slice(0, 160);
      return `${path}: ${all.length}, such as ${mail}: theirs ${show(theirs)}, ours ${show(ours)}`;
    })
    .join('\n');
}
