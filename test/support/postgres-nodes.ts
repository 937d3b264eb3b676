// The built service as several nodes on one PostgreSQL database, and mail sent to whichever of them answers, as mail
// servers do that know two exchangers. Nodes end with the test.

import { setTimeout as delay } from 'node:timers/promises';

import { type MailTarget, unlimited } from './ledger.ts';
import type { MayflyProcess } from './mayfly-process.ts';
import { startUnderFault } from './service-under-fault.ts';

type Settings = Readonly<Record<string, string>>;

export class PostgresNodes {
  readonly #url: string;
  readonly #settings: Settings;
  readonly #nodes: MayflyProcess[] = [];
  #turn = 0;

  constructor(url: string, settings: Settings = {}) {
    this.#url = url;
    this.#settings = settings;
  }

  /** One more, or one in the place of a node that has ended. */
  async start(settings: Settings = {}, at = this.#nodes.length): Promise<MayflyProcess> {
    const all = { ...unlimited, MAYFLY_STORE_URL: this.#url, ...this.#settings, ...settings };
    const node = await startUnderFault(all);
    this.#nodes[at] = node;
    return node;
  }

  at(index: number): MayflyProcess {
    const node = this.#nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** Another one each time, of those that run. */
  next(): MayflyProcess {
    for (let tried = 0; tried < this.#nodes.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#nodes.length;
      if (this.at(this.#turn).isRunning) return this.at(this.#turn);
    }
    throw new Error('No node runs.');
  }

  /** For `sendAll`: whoever connects anew goes to the next node. */
  get target(): MailTarget {
    const port = (): number => this.next().smtpPort;
    return {
      get smtpPort() {
        return port();
      },
      isRunning: true,
    };
  }
}

/** How long it took until `ask` was fulfilled with true, ms. @throws Error after `longestMs` */
export async function timeUntil(
  ask: () => boolean | Promise<boolean>,
  longestMs: number,
  what: string,
): Promise<number> {
  const startedAt = performance.now();
  while (!(await ask())) {
    if (performance.now() - startedAt > longestMs) throw new Error(`Not within ${longestMs} ms: ${what}`);
    await delay(20);
  }
  return Math.round(performance.now() - startedAt);
}
