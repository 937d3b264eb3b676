// PasskeyStore over SQL.

import type { NewPasskey, PasskeyStore, StoredPasskey } from '#passkeys/passkey';
import type { Sql, Statement } from './sql.ts';

/** Ends of sign-ins and registrations that were tried within minutes: more come only from an attack. */
const spentMax = 10_000;

const isKeyInForce = `EXISTS (SELECT 1 FROM mayfly.api_keys AS k
  WHERE k.id = key_id AND k.kind = 'admin' AND k.revoked_at IS NULL)`;

const add: Statement = {
  name: 'add_passkey',
  text: `INSERT INTO mayfly.passkeys (key_id, name, credential_id, public_key, counter, transports, created_at)
    SELECT k.id, :name, :credentialId, :publicKey, :counter, :transports, :now FROM mayfly.api_keys AS k
    WHERE k.id = :keyId AND k.kind = 'admin' AND k.revoked_at IS NULL
    ON CONFLICT DO NOTHING RETURNING id`,
};
const list: Statement = {
  name: 'list_passkeys',
  text: `SELECT p.id, p.key_id AS "keyId", k.name AS administrator, p.name, p.credential_id AS "credentialId",
      p.public_key AS "publicKey", p.counter, p.transports, p.created_at AS "createdAt",
      p.last_used_at AS "lastUsedAt"
    FROM mayfly.passkeys AS p JOIN mayfly.api_keys AS k ON k.id = p.key_id
    WHERE k.kind = 'admin' AND k.revoked_at IS NULL ORDER BY p.id`,
};
const remove: Statement = {
  name: 'remove_passkey',
  text: 'DELETE FROM mayfly.passkeys WHERE id = :id RETURNING id',
};
const removeOf: Statement = {
  name: 'remove_passkeys_of',
  text: 'DELETE FROM mayfly.passkeys WHERE key_id = :keyId',
};
const useOne: Statement = {
  name: 'use_passkey',
  text: `UPDATE mayfly.passkeys SET counter = :counter, last_used_at = :now
    WHERE id = :id AND (counter < :counter OR (counter = 0 AND :counter = 0)) AND ${isKeyInForce} RETURNING id`,
};
const dropSpent: Statement = {
  name: 'drop_spent_challenges',
  text: 'DELETE FROM mayfly.spent_challenges WHERE ends_at <= :now',
};
const spend: Statement = {
  name: 'spend_challenge',
  text: `INSERT INTO mayfly.spent_challenges (hash, ends_at)
    SELECT :hash, :now + :keptMs WHERE (SELECT count(*) FROM mayfly.spent_challenges) < ${spentMax}
    ON CONFLICT (hash) DO NOTHING RETURNING ends_at`,
};

type Row = Omit<StoredPasskey, 'transports'> & { readonly transports: string };

export class SqlPasskeyStore implements PasskeyStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async addPasskey({ transports, ...passkey }: NewPasskey): Promise<boolean> {
    const added = await this.#sql.run(add, { ...passkey, transports: transports.join() });
    return added.length > 0;
  }

  async listPasskeys(): Promise<StoredPasskey[]> {
    const rows = await this.#sql.all<Row>(list);
    return rows.map((row) => ({ ...row, transports: row.transports.split(',').filter((one) => one !== '') }));
  }

  async removePasskey(id: number): Promise<boolean> {
    return (await this.#sql.run(remove, { id })).length > 0;
  }

  async removePasskeysOf(keyId: number): Promise<void> {
    await this.#sql.run(removeOf, { keyId });
  }

  async usePasskey(id: number, counter: number): Promise<boolean> {
    return (await this.#sql.run(useOne, { id, counter })).length > 0;
  }

  async spendChallenge(hash: Uint8Array, keptMs: number): Promise<boolean> {
    await this.#sql.run(dropSpent);
    return (await this.#sql.run(spend, { hash, keptMs })).length > 0;
  }
}
