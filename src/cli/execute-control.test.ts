import { expect, it } from 'vitest';

import { createOperatorDeps } from '../../test/support/operator-fixture.ts';
import { openServices } from '../../test/support/service-fixture.ts';
import { createAccountSecrets } from '../service/account-secrets.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import { CopyRefused } from '../store/store-copy.ts';
import type { ControlRequest } from './control-protocol.ts';
import { executeControl } from './execute-control.ts';

async function openControl() {
  const services = await openServices();
  const deps = {
    ...createOperatorDeps(services.store),
    copy: { make: () => Promise.reject(new CopyRefused('No room.')) },
    gmail: {
      gmail: services.store.gmail,
      secrets: createAccountSecrets(undefined),
      testAccount: () => Promise.resolve({ isWell: true, lines: [] }),
      onAccountsChanged: () => undefined,
    },
  };
  const run = async (request: ControlRequest): Promise<string> => {
    const response = await executeControl(deps, request);
    return response.ok ? response.lines.join('\n') : `refused: ${response.message}`;
  };
  return { services, deps, run };
}

it('adds, lists, disables and removes domains', async () => {
  const { services, run } = await openControl();
  await services.lend();
  expect(await run({ command: 'domain-add', name: 'Long-Name.example' })).toBe(
    'Domain long-name.example is active with id 2.',
  );
  expect(await run({ command: 'domain-add', name: 'b.example', quarantineSeconds: 60 })).toContain('id 3');
  expect(await run({ command: 'domain-disable', name: 'b.example' })).toBe(
    'Domain b.example lends no new addresses; its sessions live on to their end.',
  );
  expect((await run({ command: 'domain-list' })).split('\n')).toEqual([
    'ID  DOMAIN             STATE     QUARANTINE',
    '1   mayfly.test        active    0 s',
    '2   long-name.example  active    2592000 s',
    '3   b.example          disabled  60 s',
  ]);
  expect(await run({ command: 'domain-remove', name: 'MAYFLY.test' })).toBe(
    'Domain mayfly.test is removed; 1 of its sessions ended.',
  );
});

it('says how to begin where there is no domain', async () => {
  const { run } = await openControl();
  await run({ command: 'domain-remove', name: 'mayfly.test' });
  expect(await run({ command: 'domain-list' })).toBe('No domains. Add one: mayfly domain add example.org');
});

it('answers what an operator can get wrong with a message', async () => {
  const { run } = await openControl();
  expect(await run({ command: 'domain-add', name: 'a b' })).toMatch(/^refused: "a b" is not a domain name/);
  expect(await run({ command: 'domain-disable', name: 'none.example' })).toBe(
    'refused: There is no domain none.example.',
  );
  expect(await run({ command: 'domain-remove', name: '' })).toMatch(/^refused: "" is not/);
});

it('passes on why the store cannot be copied', async () => {
  const { run } = await openControl();
  expect(await run({ command: 'store-copy' })).toBe('refused: No room.');
});

it('throws for faults of ours', async () => {
  const fault = new Error('The disk is full.');
  const { deps } = await openControl();
  const directory = { listDomains: () => Promise.reject(fault) } as unknown as DirectoryStore;
  await expect(executeControl({ ...deps, directory }, { command: 'domain-list' })).rejects.toBe(fault);
});
