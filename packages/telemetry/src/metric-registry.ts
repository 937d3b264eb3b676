// All metric families of one process, and their text.

import { CellFamily, type Family, type Histogram, HistogramFamily } from './metric-families.ts';

/** In seconds, from a cached answer to the longest a sender waits. */
const secondsBounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

export class MetricRegistry {
  readonly #families = new Map<string, Family>();
  readonly #collectors: (() => void | Promise<void>)[] = [];

  counter(name: string, help: string, ...labels: readonly string[]): CellFamily {
    return this.#add(new CellFamily('counter', { name, help, labels }));
  }

  gauge(name: string, help: string, ...labels: readonly string[]): CellFamily {
    return this.#add(new CellFamily('gauge', { name, help, labels }));
  }

  /** In seconds. */
  histogram(name: string, help: string): Histogram {
    return this.#add(new HistogramFamily({ name, help, bounds: secondsBounds })).of('');
  }

  /** In seconds, one per value of the label. */
  histograms(name: string, help: string, label: string): HistogramFamily {
    return this.#add(new HistogramFamily({ name, help, label, bounds: secondsBounds }));
  }

  /** Registers a function that updates gauges before the text is made. */
  onCollect(collect: () => void | Promise<void>): void {
    this.#collectors.push(collect);
  }

  /** Describes the families, for the docs. */
  describe(): readonly Pick<Family, 'name' | 'type' | 'help' | 'labels'>[] {
    return [...this.#families.values()];
  }

  /** Returns the names of all families. */
  names(): string[] {
    return [...this.#families.keys()];
  }

  async render(): Promise<string> {
    for (const collect of this.#collectors) await collect();
    const blocks = [...this.#families.values()].map((family) =>
      [
        `# HELP ${family.name} ${family.help}`,
        `# TYPE ${family.name} ${family.type}`,
        ...family.lines(),
        '',
      ].join('\n'),
    );
    return blocks.join('');
  }

  #add<T extends Family>(family: T): T {
    if (this.#families.has(family.name)) throw new Error(`There are two metrics ${family.name}.`);
    this.#families.set(family.name, family);
    return family;
  }
}
