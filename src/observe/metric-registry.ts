// All families of one process, and the text that shows them. Made by metrics.ts.

import { CellFamily, type Family, type Histogram, HistogramFamily } from './metric-families.ts';

/** Seconds. From what a cached answer takes to what a sender no longer waits for. */
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

  /** Of seconds. */
  histogram(name: string, help: string): Histogram {
    return this.#add(new HistogramFamily({ name, help, bounds: secondsBounds })).of('');
  }

  /** Of seconds, for each value of one label. */
  histograms(name: string, help: string, label: string): HistogramFamily {
    return this.#add(new HistogramFamily({ name, help, label, bounds: secondsBounds }));
  }

  /** Called before the text is made: sets gauges to what they are just now. */
  onCollect(collect: () => void | Promise<void>): void {
    this.#collectors.push(collect);
  }

  /** What there is, for the docs. */
  describe(): readonly Pick<Family, 'name' | 'type' | 'help' | 'labels'>[] {
    return [...this.#families.values()];
  }

  /** Names of all families. */
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
