// Whether somebody wants to be told by webhook: the triggers that note it (outbox-triggers.ts) are of the connection of the
// service's thread, which then writes all deliveries itself. Kept by SqliteJobsStore.

import type Database from 'better-sqlite3';

import { operatorEndpointId, type OutboxSettings } from '../jobs-store.ts';

export class OpenEndpoints {
  readonly #isOperatorTold: boolean;
  readonly #find: Database.Statement | undefined;
  #mayBe = true;

  constructor(database: Database.Database, { operator, sessions }: OutboxSettings) {
    this.#isOperatorTold = operator;
    const open = `SELECT 1 FROM webhook_endpoints WHERE state <> 'closed' AND id <> ${operatorEndpointId} LIMIT 1`;
    this.#find = operator || sessions ? database.prepare(open) : undefined;
  }

  get mayBe(): boolean {
    return this.#mayBe;
  }

  /** One is being added. */
  expect(): void {
    this.#mayBe = this.#find !== undefined;
  }

  /** Some may have gone. */
  look(): void {
    this.#mayBe = this.#isOperatorTold || this.#find?.get() !== undefined;
  }
}
