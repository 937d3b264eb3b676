// Counts what strangers do, by group and member, in bounded memory: the members of a group beyond a number are counted
// together. The bounds hold for a period, however often the counts are taken in it.

/** Stands for all members that were too many to be kept apart. */
export const otherMembers = '*';

export interface Tallied<Sample> {
  readonly group: string;
  /** Or `otherMembers`. */
  readonly member: string;
  readonly count: number;
  /** The latest. */
  readonly sample: Sample;
}

export interface TallyBounds {
  /** Members kept apart in a period, in all. */
  readonly max: number;
  /** Those of one group, so that a flood of one kind leaves room for the others. */
  readonly perGroupMax: number;
}

interface Entry<Sample> {
  readonly group: string;
  readonly member: string;
  count: number;
  sample: Sample;
}

export class BoundedTally<Sample> {
  readonly #bounds: TallyBounds;
  /** The members of each group in this period. */
  readonly #known = new Map<string, Set<string>>();
  #size = 0;
  #entries = new Map<string, Entry<Sample>>();

  constructor(bounds: TallyBounds) {
    this.#bounds = bounds;
  }

  /** `group` must be one of a few that the caller chose. */
  add(group: string, member: string, sample: Sample): void {
    const counted = this.#isApart(group, member) ? member : otherMembers;
    const key = `${group}\n${counted}`;
    const entry = this.#entries.get(key);
    if (entry) {
      entry.count += 1;
      entry.sample = sample;
    } else this.#entries.set(key, { group, member: counted, count: 1, sample });
  }

  /** Returns the counts since they were last taken. */
  take(): readonly Tallied<Sample>[] {
    const taken = [...this.#entries.values()];
    this.#entries = new Map();
    return taken;
  }

  /** Begins a new period. */
  restart(): void {
    this.#known.clear();
    this.#size = 0;
  }

  #isApart(group: string, member: string): boolean {
    const known = this.#known.get(group);
    if (known?.has(member)) return true;
    if (this.#size >= this.#bounds.max || (known?.size ?? 0) >= this.#bounds.perGroupMax) return false;
    this.#size += 1;
    if (known) known.add(member);
    else this.#known.set(group, new Set([member]));
    return true;
  }
}
