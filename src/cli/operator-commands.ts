// `mayfly key`, `mayfly session`, `mayfly block`, `mayfly settings` and `mayfly domain check`: what is asked of the
// running service, and carrying it out. The admin interface does the same through the same services.

import { checkDomain } from '../service/check-domain.ts';
import { endSessionOf, findSessions } from '../service/find-sessions.ts';
import { addBlock, removeBlock } from '../service/manage-blocks.ts';
import { OperatorError } from '../service/operator-error.ts';
import { addKey, revokeKey } from '../service/manage-keys.ts';
import type { OperatorDeps } from '../service/operator-deps.ts';
import type { Block } from '../store/block-store.ts';
import type { StoredKey } from '../store/key-store.ts';
import type { FoundSession } from '../store/session-finder.ts';
import { formatTable } from './format-table.ts';

export type OperatorRequest =
  | { readonly command: 'key-list' | 'block-list' | 'settings' }
  | {
      readonly command: 'key-add';
      readonly name: string;
      readonly isAdmin: boolean;
      readonly scopes: readonly string[];
      readonly ratePerMinute?: number | undefined;
    }
  | { readonly command: 'key-revoke' | 'domain-check'; readonly name: string }
  | { readonly command: 'session-find' | 'session-end'; readonly address: string }
  | { readonly command: 'block-add'; readonly kind: string; readonly value: string; readonly note: string }
  | { readonly command: 'block-remove'; readonly kind: string; readonly value: string };

const foundShown = 100;
const rateMax = 1_000_000;

/** Undefined when it is no request of these. */
export function parseOperatorRequest(value: Readonly<Record<string, unknown>>): OperatorRequest | undefined {
  const { command, name, address, kind, value: blocked, note } = value;
  switch (command) {
    case 'key-list':
    case 'block-list':
    case 'settings':
      return { command };
    case 'key-add':
      return parseKeyAdd(value);
    case 'key-revoke':
    case 'domain-check':
      return typeof name === 'string' ? { command, name } : undefined;
    case 'session-find':
    case 'session-end':
      return typeof address === 'string' ? { command, address } : undefined;
    case 'block-add':
    case 'block-remove':
      if (typeof kind !== 'string' || typeof blocked !== 'string') return undefined;
      if (command === 'block-remove') return { command, kind, value: blocked };
      return typeof note === 'string' ? { command, kind, value: blocked, note } : undefined;
    default:
      return undefined;
  }
}

function parseKeyAdd(value: Readonly<Record<string, unknown>>): OperatorRequest | undefined {
  const { name, isAdmin, scopes, ratePerMinute } = value;
  if (typeof name !== 'string' || typeof isAdmin !== 'boolean' || !Array.isArray(scopes)) return undefined;
  if (!scopes.every((scope) => typeof scope === 'string')) return undefined;
  const request = { command: 'key-add', name, isAdmin, scopes } as const;
  if (ratePerMinute === undefined) return request;
  return isRate(ratePerMinute) ? { ...request, ratePerMinute } : undefined;
}

function isRate(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= rateMax;
}

/** The lines to print. @throws OperatorError */
export async function executeOperatorRequest(
  deps: OperatorDeps,
  request: OperatorRequest,
): Promise<string[]> {
  switch (request.command) {
    case 'key-list':
      return formatKeys(await deps.keys.listKeys());
    case 'key-add': {
      const { name, isAdmin, scopes, ratePerMinute } = request;
      const made = await addKey(deps, { name, kind: isAdmin ? 'admin' : 'caller', scopes, ratePerMinute });
      return [
        made.key,
        `Key ${name} for ${made.stored.scopes.join(', ')}. It is told this once and kept nowhere.`,
      ];
    }
    case 'key-revoke':
      return [`Key ${(await revokeKey(deps, request.name)).name} is revoked.`];
    case 'session-find':
      return formatSessions(
        await deps.finder.countLive(),
        await findSessions(deps, request.address, foundShown),
      );
    case 'session-end':
      return [`The session of ${await endSessionOf(deps, request.address)} has ended.`];
    case 'block-list':
      return formatBlocks(await deps.blocks.listBlocks());
    case 'block-add': {
      const { kind, value } = await addBlock(deps, request);
      return [`The ${kind} ${value} is blocked.`];
    }
    case 'block-remove': {
      const { kind, value } = await removeBlock(deps, request);
      return [`The ${kind} ${value} is no longer blocked.`];
    }
    case 'domain-check':
      return checkOwnDomain(deps, request.name);
    case 'settings':
      return formatTable([
        ['SETTING', 'VALUE', ''],
        ...deps.settings.map(({ name, value, isDefault }) => [name, value, isDefault ? '' : 'set']),
      ]);
  }
}

async function checkOwnDomain(deps: OperatorDeps, name: string): Promise<string[]> {
  const domain = (await deps.directory.listDomains()).find((one) => one.name === name.toLowerCase());
  if (!domain) throw new OperatorError(`There is no domain ${JSON.stringify(name.slice(0, 80))}.`);
  const checks = await checkDomain(deps.domainChecks, domain.name);
  const last = (await deps.lastMail.list()).get(domain.name);
  return formatTable([
    ['CHECK', 'STATE', ''],
    ...checks.map(({ what, state, detail }) => [what, state, detail]),
    [
      'mail',
      last === undefined ? 'warning' : 'ok',
      last === undefined ? 'None came yet.' : `Last came ${toIso(last)}.`,
    ],
  ]);
}

function formatKeys(keys: readonly StoredKey[]): string[] {
  if (keys.length === 0) return ['No keys. Make one: mayfly key add NAME'];
  const rows = keys.map((key) => [
    key.name,
    key.kind === 'admin' ? 'admin' : 'caller',
    key.scopes.join(','),
    key.ratePerMinute === null ? 'usual' : `${key.ratePerMinute}/min`,
    String(key.uses),
    key.lastUsedAt === null ? 'never' : toIso(key.lastUsedAt),
    key.revokedAt === null ? 'in force' : `revoked ${toIso(key.revokedAt)}`,
  ]);
  return formatTable([['NAME', 'KIND', 'SCOPES', 'RATE', 'USES', 'LAST USED', 'STATE'], ...rows]);
}

function formatSessions(live: number, found: readonly FoundSession[]): string[] {
  const count = `${live} ${live === 1 ? 'session is' : 'sessions are'} live.`;
  if (found.length === 0) return [count, 'None has such an address.'];
  const rows = found.map((one) => [
    one.address,
    toIso(one.createdAt),
    toIso(one.expiresAt),
    String(one.messageCount),
    String(one.messageBytes),
  ]);
  const more =
    found.length < foundShown ? [] : [`At most ${foundShown} are shown: give more of the address.`];
  return [count, ...formatTable([['ADDRESS', 'MADE', 'ENDS', 'MESSAGES', 'BYTES'], ...rows]), ...more];
}

function formatBlocks(blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return ['Nothing is blocked.'];
  const rows = blocks.map(({ kind, value, note, createdAt }) => [kind, value, toIso(createdAt), note]);
  return formatTable([['KIND', 'VALUE', 'SINCE', 'NOTE'], ...rows]);
}

function toIso(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
