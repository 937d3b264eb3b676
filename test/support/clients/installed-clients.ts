// A folder as a user of our npm clients has it: their packages as published in node_modules, with links to other
// packages.

import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { runWell } from '../servers/run-program.ts';

const packageNames = {
  typescript: 'mayfly-client',
  playwright: '@mayfly/playwright',
  cypress: '@mayfly/cypress',
  testcontainers: '@mayfly/testcontainers',
} as const;

export type ClientName = keyof typeof packageNames;

export interface ClientFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** Returns the folder of a package of others: some are installed for the clients alone. */
export function findInstalled(name: string): string | undefined {
  const places = ['node_modules', 'clients/node_modules'].map((parent) => path.resolve(parent, name));
  return places.find((place) => existsSync(place));
}

export async function installClients(
  clients: readonly ClientName[],
  others: readonly string[],
): Promise<ClientFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-client-'));
  const modules = path.join(folder, 'node_modules');
  for (const client of clients) {
    const target = path.join(modules, packageNames[client]);
    await runWell(process.execPath, ['scripts/build-client.mjs', client, target]);
  }
  for (const name of others) {
    await mkdir(path.dirname(path.join(modules, name)), { recursive: true });
    const place = findInstalled(name);
    if (place === undefined) throw new Error(`${name} is not installed`);
    await symlink(place, path.join(modules, name));
  }
  return { path: folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
