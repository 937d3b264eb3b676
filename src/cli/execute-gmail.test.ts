import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { addUsage, setHealth } from '../../test/support/gmail-account.ts';
import { createOperatorDeps } from '../../test/support/operator-fixture.ts';
import { openServices } from '../../test/support/service-fixture.ts';
import { createAccountSecrets } from '../service/account-secrets.ts';
import { createSession } from '../service/create-session.ts';
import type { ControlRequest } from './control-protocol.ts';
import { executeControl } from './execute-control.ts';

const credentials = { kind: 'password', password: 'hunter2' } as const;

async function openControl() {
  const services = await openServices();
  const { store } = services;
  const tested: string[] = [];
  let changes = 0;
  const gmail = {
    gmail: store.gmail,
    secrets: createAccountSecrets(randomBytes(32)),
    testAccount: ({ email }: { email: string }) => {
      tested.push(email);
      const isWell = email.startsWith('well');
      return Promise.resolve({
        isWell,
        lines: isWell ? ['Connected.', 'INBOX'] : ['Connected.', 'Refused.'],
      });
    },
    onAccountsChanged: () => {
      changes += 1;
    },
  };
  const run = async (request: ControlRequest): Promise<string> => {
    const response = await executeControl(
      {
        ...createOperatorDeps(store),
        copy: { make: () => Promise.reject(new Error('Not asked for.')) },
        gmail,
      },
      request,
    );
    return response.ok ? response.lines.join('\n') : `refused: ${response.message}`;
  };
  return { services, store, gmail, run, tested, countChanges: () => changes };
}

it('adds, lists, disables and removes accounts, and tells the pollers each time', async () => {
  const { services, store, run, countChanges } = await openControl();
  expect(await run({ command: 'gmail-list' })).toBe(
    'No Gmail accounts. Add one: mayfly gmail add you@gmail.com --password-file FILE',
  );
  expect(await run({ command: 'gmail-add', email: 'Quiet@Gmail.com', credentials })).toBe(
    'Gmail account quiet@gmail.com is set up with id 1; it lends aliases once the service has logged in.',
  );
  await run({ command: 'gmail-add', email: 'box@mail.test', credentials, host: 'mail.test' });
  await run({ command: 'gmail-add', email: 'old@gmail.com', credentials });
  const [first, second] = await store.gmail.listAccounts();
  if (!first || !second) throw new Error('No accounts.');
  await setHealth(store, first, 'healthy');
  await setHealth(store, second, 'refused');
  await addUsage(store, first, 4096);
  await createSession(services.deps, { useGmail: true });
  expect(await run({ command: 'gmail-disable', email: 'old@gmail.com' })).toBe(
    'Gmail account old@gmail.com lends no new aliases and gets no mail; its sessions live on to their end.',
  );
  expect(countChanges()).toBe(4);
  expect((await run({ command: 'gmail-list' })).split('\n')).toEqual([
    'ID  EMAIL            STATE                         SINCE                SESSIONS  FREE DOTS  BYTES TODAY  UNMATCHED  DETAIL',
    '1   quiet@gmail.com  active                        2026-01-01 00:00:00  1         14         4096         0',
    '2   box@mail.test    login refused, waits for you  2026-01-01 00:00:00  0         -          0            0          as the test wants it',
    '3   old@gmail.com    disabled                      2026-01-01 00:00:00  0         3          0            0',
  ]);
  expect(await run({ command: 'gmail-remove', email: 'QUIET@gmail.com' })).toBe(
    'Gmail account quiet@gmail.com is removed; 1 of its sessions ended.',
  );
  expect(countChanges()).toBe(5);
});

it('tells what an operator can get wrong, and never a password', async () => {
  const { run, countChanges } = await openControl();
  const refused = [
    await run({ command: 'gmail-add', email: 'a+b@gmail.com', credentials }),
    await run({ command: 'gmail-add', email: 'box@mail.test', credentials }),
    await run({ command: 'gmail-test', email: 'a@gmail.com' }),
    await run({ command: 'gmail-disable', email: 'a@gmail.com' }),
    await run({ command: 'gmail-remove', email: 'a@gmail.com' }),
    await run({ command: 'secret-rotate', newKey: 'hunter2' }),
  ];
  for (const answer of refused) {
    expect(answer).toMatch(/^refused: /);
    expect(answer).not.toContain('hunter2');
  }
  expect(countChanges()).toBe(0);
});

it('tests an account, and is refused with all lines when it is not well', async () => {
  const { run, tested } = await openControl();
  for (const email of ['well@gmail.com', 'ill@gmail.com']) {
    await run({ command: 'gmail-add', email, credentials });
  }
  expect(await run({ command: 'gmail-test', email: 'well@gmail.com' })).toBe('Connected.\nINBOX');
  expect(await run({ command: 'gmail-test', email: 'ILL@gmail.com' })).toBe('refused: Connected.\nRefused.');
  expect(tested).toEqual(['well@gmail.com', 'ill@gmail.com']);
});

it('goes over to a new secret key', async () => {
  const { run, store } = await openControl();
  await run({ command: 'gmail-add', email: 'a@gmail.com', credentials });
  const newKey = randomBytes(32);
  expect(await run({ command: 'secret-rotate', newKey: newKey.toString('base64') })).toMatch(
    /^The credentials of 1 account are sealed under the new key\.\nNow put it where MAYFLY_SECRET_KEY_FILE/,
  );
  const [account] = await store.gmail.listAccounts();
  expect(account && createAccountSecrets(newKey).open(account)).toEqual(credentials);
});
