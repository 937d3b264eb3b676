// The mailboxes of a soak test: created in turn, used by senders and readers for a while, then checked and ended by
// call or by expiry. Each has a ledger, so that no loss of an acknowledged message goes unnoticed.

import { expect } from 'vitest';

import { compare, type Ledger } from './ledger.ts';
import type { MayflyProcess } from '../service/mayfly-process.ts';
import type { Random } from '../random.ts';
import { timeUntil } from '../postgres/postgres-nodes.ts';

export interface Mailbox extends Ledger {
  /** Sums of messages that a reader deleted. */
  readonly deleted: Set<string>;
  /** On the clock of `performance`. */
  dueAt: number;
  /** Current users: it is checked when there are none. */
  users: number;
}

export interface SoakMailboxesOptions {
  readonly mayfly: MayflyProcess;
  readonly random: Random;
  /** Mailboxes in use at once. */
  readonly count: number;
  readonly lifetimeSeconds: number;
}

export class SoakMailboxes {
  readonly #options: SoakMailboxesOptions;
  readonly #inUse: Mailbox[] = [];
  readonly #expiring: Mailbox[] = [];
  #acknowledged = 0;
  #deleted = 0;
  #retired = 0;

  constructor(options: SoakMailboxesOptions) {
    this.#options = options;
  }

  get figures(): { readonly sessions: number; readonly acknowledged: number; readonly deleted: number } {
    return { sessions: this.#retired, acknowledged: this.#acknowledged, deleted: this.#deleted };
  }

  async fill(): Promise<void> {
    while (this.#inUse.length < this.#options.count) await this.#add();
  }

  /** Lends `work` a mailbox in use, which is not ended meanwhile. */
  async use(work: (mailbox: Mailbox) => Promise<void>): Promise<void> {
    const mailbox = this.#options.random.pick(this.#inUse);
    mailbox.users += 1;
    try {
      await work(mailbox);
    } finally {
      mailbox.users -= 1;
    }
  }

  /** Replaces the oldest mailbox, which must be whole, by a new one; every other is left to expire. */
  async replaceOldest(): Promise<void> {
    await this.#extendOld();
    await this.#add();
    await this.#retire(this.#inUse.shift()!, this.#retired % 2 === 0 ? 'by hand' : 'by time');
    const over = this.#expiring.findIndex(({ dueAt }) => dueAt < performance.now());
    if (over >= 0) await this.#expectOver(this.#expiring.splice(over, 1)[0]!);
  }

  /** Expects those in use to be whole, and those left to expire to have ended. */
  async finish(): Promise<void> {
    for (const mailbox of this.#inUse.splice(0)) await this.#retire(mailbox, 'by hand');
    for (const mailbox of this.#expiring.splice(0)) await this.#expectOver(mailbox);
  }

  async #add(): Promise<void> {
    const { mayfly, lifetimeSeconds } = this.#options;
    const lent = await mayfly.lend({ lifetime: String(lifetimeSeconds) });
    const dueAt = performance.now() + lifetimeSeconds * 1000;
    const sums = { sent: new Set<string>(), acknowledged: new Set<string>(), deleted: new Set<string>() };
    this.#inUse.push({ lent, ...sums, dueAt, users: 0 });
  }

  /** On a busy machine a mailbox's turn comes late: none may expire while in use. */
  async #extendOld(): Promise<void> {
    const { mayfly, lifetimeSeconds } = this.#options;
    const lifetimeMs = lifetimeSeconds * 1000;
    const soon = performance.now() + lifetimeMs / 2;
    for (const mailbox of this.#inUse.filter(({ dueAt }) => dueAt < soon)) {
      const askedAt = performance.now();
      await post(mayfly, `/extend-session?lifetime=${lifetimeSeconds}`, mailbox);
      mailbox.dueAt = askedAt + lifetimeMs;
    }
  }

  async #retire(mailbox: Mailbox, how: 'by hand' | 'by time'): Promise<void> {
    const { mayfly } = this.#options;
    await timeUntil(() => mailbox.users === 0, 60_000, 'nobody uses the mailbox any more');
    await expectWhole(mayfly, mailbox);
    this.#acknowledged += mailbox.acknowledged.size;
    this.#deleted += mailbox.deleted.size;
    this.#retired += 1;
    if (how === 'by time') {
      this.#expiring.push(mailbox);
    } else {
      const authorization = `Bearer ${mailbox.lent.token}`;
      const ended = await fetch(`${mayfly.origin}/end-session`, {
        method: 'POST',
        headers: { authorization },
      });
      expect(ended.status, await ended.text()).toBe(200);
      await this.#expectOver(mailbox);
    }
  }

  async #expectOver({ lent }: Mailbox): Promise<void> {
    const { mayfly, lifetimeSeconds } = this.#options;
    const isOver = async (): Promise<boolean> => {
      const answer = await mayfly.call('/check-mail', lent.token);
      await answer.text();
      return answer.status === 410;
    };
    await timeUntil(isOver, lifetimeSeconds * 1000 + 10_000, 'the session is over');
  }
}

async function post(mayfly: MayflyProcess, operation: string, { lent }: Mailbox): Promise<void> {
  const headers = { authorization: `Bearer ${lent.token}` };
  const answer = await fetch(mayfly.origin + operation, { method: 'POST', headers });
  expect(answer.status, await answer.text()).toBe(200);
}

/** Expects everything acknowledged and not deleted to be there, whole and once, and nothing else. */
async function expectWhole(
  mayfly: MayflyProcess,
  { lent, sent, acknowledged, deleted }: Mailbox,
): Promise<void> {
  const kept = new Set([...acknowledged].filter((sum) => !deleted.has(sum)));
  const { lost, foreign, doubled } = await compare(mayfly, { lent, sent, acknowledged: kept });
  expect(lost, 'acknowledged and lost').toEqual([]);
  expect(foreign, 'stored and never sent so').toEqual([]);
  expect(doubled, 'sent once and stored twice').toEqual([]);
  expect((await mayfly.listMail(lent.token)).length, 'no deleted message is back').toBe(kept.size);
}
