// Compares the outcome of each scenario with one client to the table of docs/clients/scenarios.md; or, with
// SCENARIO_RESULTS, writes it to that folder for `npm run docs:scenarios`, which writes the table.

import { writeFileSync } from 'node:fs';
import path from 'node:path';

import { expect, it } from 'vitest';

import { type Client, type Outcome, readColumn } from '../../../scripts/scenario-page.mjs';
import type { NamedScenario } from './scenarios.ts';

export class Outcomes {
  readonly #client: Client;
  readonly #found = new Map<string, Outcome>();

  constructor(client: Client) {
    this.#client = client;
  }

  set({ file, name }: NamedScenario, outcome: Outcome): void {
    this.#found.set(`${file}: ${name}`, outcome);
  }

  /** Call it after the tests that play. */
  itIsInTheTable(): void {
    it(`is in the table of docs/clients/scenarios.md as ${this.#client}`, () => {
      const found = [...this.#found].sort();
      const folder = process.env['SCENARIO_RESULTS'];
      if (folder === undefined) expect(found).toEqual(readColumn(this.#client).sort());
      else writeFileSync(path.join(folder, `${this.#client}.json`), JSON.stringify(found));
    });
  }
}
