// ServerKeyStore over SQL.

import type { ServerKeyStore } from '../server-key-store.ts';
import type { Sql, Statement } from './sql.ts';

const read: Statement = {
  name: 'read_key_fingerprint',
  text: `SELECT fingerprint FROM mayfly.key_fingerprints WHERE name = 'server.key'`,
};
const claim: Statement = {
  name: 'claim_key_fingerprint',
  text: `INSERT INTO mayfly.key_fingerprints (name, fingerprint) VALUES ('server.key', :fingerprint)
    ON CONFLICT (name) DO NOTHING`,
};
const forget: Statement = {
  name: 'forget_key_fingerprint',
  text: `DELETE FROM mayfly.key_fingerprints WHERE name = 'server.key' RETURNING 1 AS done`,
};

export class SqlServerKeyStore implements ServerKeyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async readFingerprint(): Promise<Uint8Array | undefined> {
    return (await this.#sql.get<{ fingerprint: Uint8Array }>(read))?.fingerprint;
  }

  async claim(fingerprint: Uint8Array): Promise<Uint8Array> {
    await this.#sql.run(claim, { fingerprint });
    const kept = await this.readFingerprint();
    if (!kept) throw new Error('The fingerprint of server.key was removed while a node was starting.');
    return kept;
  }

  async forget(): Promise<boolean> {
    return (await this.#sql.run(forget)).length === 1;
  }
}
