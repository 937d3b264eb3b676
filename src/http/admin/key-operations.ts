// /admin: API keys.

import { addKey, revokeKey } from '../../service/manage-keys.ts';
import { jsonAnswer } from '../answer.ts';
import { type AdminOperation, adminOperation } from './admin-operation.ts';
import { toTime } from './to-time.ts';

const name = { kind: 'text', required: true, description: 'The key’s name.' } as const;

const listKeysOperation = adminOperation({
  method: 'GET',
  path: '/admin/keys',
  summary: 'API keys with their scopes and uses; never the keys themselves',
  parameters: {},
  async run({ operator }) {
    const keys = await operator.keys.listKeys();
    return jsonAnswer({
      keys: keys.map((key) => ({
        id: key.id,
        name: key.name,
        admin: key.kind === 'admin',
        scopes: key.scopes,
        rate_per_minute: key.ratePerMinute,
        created_at: toTime(key.createdAt),
        revoked_at: toTime(key.revokedAt),
        uses: key.uses,
        last_used_at: toTime(key.lastUsedAt),
      })),
    });
  },
});

const addKeyOperation = adminOperation({
  method: 'POST',
  path: '/admin/add-key',
  summary: 'Make a key for callers; told this once. Admin keys are made by the CLI alone',
  parameters: {
    name,
    scopes: { kind: 'text', description: 'Comma separated; all when absent.' },
    rate: { kind: 'int', min: 1, max: 1_000_000, description: 'Calls of create-session a minute.' },
  },
  async run({ operator }, { name: keyName, scopes = '', rate }) {
    const { stored, key } = await addKey(operator, {
      name: keyName,
      kind: 'caller',
      scopes: scopes.split(',').filter((scope) => scope !== ''),
      ratePerMinute: rate,
    });
    return jsonAnswer({ name: stored.name, scopes: stored.scopes, key });
  },
});

const revokeKeyOperation = adminOperation({
  method: 'POST',
  path: '/admin/revoke-key',
  summary: 'Revoke a key',
  parameters: { name },
  run: async ({ operator }, parameters) =>
    jsonAnswer({ name: (await revokeKey(operator, parameters.name)).name }),
});

export const keyOperations: readonly AdminOperation[] = [
  listKeysOperation,
  addKeyOperation,
  revokeKeyOperation,
];
