// The built service as several nodes on one PostgreSQL database, and senders that use any available node, like mail
// servers with two exchangers. Each has a data folder of its own with the same `server.key`. Nodes end with the test.

import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { type MailTarget, unlimited } from '../faults/ledger.ts';
import { useDataFolder } from '../service/mayfly-fixture.ts';
import type { MayflyProcess } from '../service/mayfly-process.ts';
import { startUnderFault } from '../faults/service-under-fault.ts';

type Settings = Readonly<Record<string, string>>;

/** Returns the data folder of a new node, with the `server.key` that all nodes on the database have. */
export async function useNodeFolder(url: string): Promise<string> {
  const dataDir = await useDataFolder();
  const serverKey = createHash('sha256').update(url).digest();
  await writeFile(path.join(dataDir, 'server.key'), serverKey, { mode: 0o600 });
  return dataDir;
}

export class PostgresNodes {
  readonly #url: string;
  readonly #settings: Settings;
  readonly #nodes: MayflyProcess[] = [];
  #turn = 0;

  constructor(url: string, settings: Settings = {}) {
    this.#url = url;
    this.#settings = settings;
  }

  /** Starts another node, or a replacement for one that has ended. */
  async start(settings: Settings = {}, at = this.#nodes.length): Promise<MayflyProcess> {
    const all = { ...unlimited, MAYFLY_STORE_URL: this.#url, ...this.#settings, ...settings };
    const dataDir = await useNodeFolder(this.#url);
    const node = await startUnderFault(all, dataDir);
    this.#nodes[at] = node;
    return node;
  }

  at(index: number): MayflyProcess {
    const node = this.#nodes[index];
    if (!node) throw new Error(`There is no node ${index}.`);
    return node;
  }

  /** Returns the running nodes in rotation. */
  next(): MayflyProcess {
    for (let tried = 0; tried < this.#nodes.length; tried++) {
      this.#turn = (this.#turn + 1) % this.#nodes.length;
      if (this.at(this.#turn).isRunning) return this.at(this.#turn);
    }
    throw new Error('No node runs.');
  }

  /** For `sendAll`: each new connection goes to the next node. */
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

/** Resolves with the time until `ask` returned true, ms. @throws Error after `longestMs` */
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
