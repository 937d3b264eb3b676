// The operator's listener over the stores of an HTTP harness, with an admin key of all scopes.

import path from 'node:path';

import { inject, onTestFinished } from 'vitest';

import { createLogFeed } from '#telemetry/log-feed';
import { loadAdminPage } from '../../../src/http/admin/admin-page.ts';
import { createAdminServer } from '../../../src/http/admin/create-admin-server.ts';
import { addKey } from '../../../src/service/operating/manage-keys.ts';
import type { OperatorDeps } from '../../../src/service/operating/operator-deps.ts';
import type { TestAccess } from './access-fixture.ts';

export interface TestAdmin {
  readonly port: number;
  readonly key: string;
  readonly operator: OperatorDeps;
  /** Returns every path served. */
  paths(): string[];
}

export async function startAdminServer(
  { access, keyring, operator }: TestAccess,
  given: Partial<OperatorDeps> = {},
  logFeed = createLogFeed(),
  publicUrl = '',
): Promise<TestAdmin> {
  const deps = { ...operator, ...given };
  const { key } = await addKey(deps, { name: 'operator', kind: 'admin', scopes: [] });
  const silent = (): void => undefined;
  const server = await createAdminServer({
    settings: { host: '127.0.0.1', port: 0, hosts: [], publicUrl },
    operator: deps,
    gate: { keyring, access },
    page: loadAdminPage(path.join(inject('buildDir'), 'web', 'admin')),
    log: { debug: silent, info: silent, warn: silent, error: silent },
    logFeed,
    health: { isReady: () => ({ ready: true }) },
    version: '0.0.0-test',
    openPages: new Map([['/metrics', () => ({ headers: { 'content-type': 'text/plain' }, body: 'up 1\n' })]]),
  });
  onTestFinished(() => server.close());
  return { port: server.address().port, key, operator: deps, paths: () => server.paths() };
}
