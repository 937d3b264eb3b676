// Metrics as plain numbers: counting is an addition, and text is only made on request, in Prometheus' text format 0.0.4
// (https: prometheus.io/docs/instrumenting/exposition_formats/).

/** Further label combinations of a family are counted together, so that no caller can fill the memory. */
const combinationsMax = 500;

export interface Family {
  readonly name: string;
  /** Returns the lines of the exposition, without HELP and TYPE. */
  lines(): string[];
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
}

/** A number that its owner changes with `value +=`. */
export class Cell {
  value = 0;
}

interface Described {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
}

/** A counter or gauge with one cell per combination of labels. */
export class CellFamily implements Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels: readonly string[];
  readonly #cells = new Map<string, { readonly text: string; readonly cell: Cell }>();

  constructor(type: 'counter' | 'gauge', { name, help, labels = [] }: Described) {
    this.type = type;
    this.name = name;
    this.help = help;
    this.labels = labels;
    // Without labels it starts at 0, so that rates are known from the first change.
    if (labels.length === 0) this.of();
  }

  /** Returns the cell for these label values, in order. */
  of(...values: readonly string[]): Cell {
    const key = values.length === 1 ? (values[0] ?? '') : values.join('\0');
    const known = this.#cells.get(key);
    if (known) return known.cell;
    if (this.#cells.size >= combinationsMax && !values.every((value) => value === 'other')) {
      return this.of(...this.labels.map(() => 'other'));
    }
    const cell = new Cell();
    this.#cells.set(key, { text: formatLabels(this.labels, values), cell });
    return cell;
  }

  /** Returns the sum of the cells whose label values, in order, are wanted; of all by default. */
  sum(isWanted: (values: readonly string[]) => boolean = () => true): number {
    let sum = 0;
    for (const [key, { cell }] of this.#cells) if (isWanted(key.split('\0'))) sum += cell.value;
    return sum;
  }

  /** Returns the label values, in order, of each cell with its value. */
  entries(): [values: readonly string[], value: number][] {
    return [...this.#cells].map(([key, { cell }]) => [key.split('\0'), cell.value]);
  }

  /** For a gauge whose combinations come and go. */
  clear(): void {
    this.#cells.clear();
  }

  lines(): string[] {
    return [...this.#cells.values()].map(
      ({ text, cell }) => `${this.name}${text === '' ? '' : `{${text}}`} ${cell.value}`,
    );
  }
}

/** A histogram of observations. */
export class Histogram {
  readonly #bounds: readonly number[];
  readonly #counts: number[];
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = Array.from({ length: bounds.length + 1 }, () => 0);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    (this.#counts[at] as number) += 1;
    this.#sum += value;
  }

  lines(name: string, labels: string): string[] {
    const before = labels === '' ? '' : `${labels},`;
    let total = 0;
    const buckets = this.#counts.map((count, at) => {
      total += count;
      return `${name}_bucket{${before}le="${this.#bounds[at] ?? '+Inf'}"} ${total}`;
    });
    const own = labels === '' ? '' : `{${labels}}`;
    return [...buckets, `${name}_sum${own} ${this.#sum}`, `${name}_count${own} ${total}`];
  }
}

export class HistogramFamily implements Family {
  readonly type = 'histogram';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly #bounds: readonly number[];
  readonly #label: string | undefined;
  readonly #histograms = new Map<string, Histogram>();

  constructor({ name, help, label, bounds }: Described & { label?: string; bounds: readonly number[] }) {
    this.name = name;
    this.help = help;
    this.#label = label;
    this.labels = label === undefined ? [] : [label];
    this.#bounds = bounds;
    if (label === undefined) this.of('');
  }

  of(value: string): Histogram {
    const known = this.#histograms.get(value);
    if (known) return known;
    if (this.#histograms.size >= combinationsMax && value !== 'other') return this.of('other');
    const histogram = new Histogram(this.#bounds);
    this.#histograms.set(value, histogram);
    return histogram;
  }

  lines(): string[] {
    const label = this.#label;
    return [...this.#histograms].flatMap(([value, histogram]) =>
      histogram.lines(this.name, label === undefined ? '' : formatLabels([label], [value])),
    );
  }
}

function formatLabels(names: readonly string[], values: readonly string[]): string {
  return names.map((name, at) => `${name}="${escapeValue(values[at] ?? '')}"`).join(',');
}

function escapeValue(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n').slice(0, 200);
}
