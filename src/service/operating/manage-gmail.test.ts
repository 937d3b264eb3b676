import { randomBytes } from 'node:crypto';

import { expect, it } from 'vitest';

import { setHealth } from '../../../test/support/gmail/gmail-account.ts';
import { openServices } from '../../../test/support/service/service-fixture.ts';
import { createAccountSecrets } from './account-secrets.ts';
import { createSession } from '../addresses/create-session.ts';
import {
  addGmailAccount,
  type AddGmailAccountRequest,
  countFreeDotVariants,
  disableGmailAccount,
  getGmailAccount,
  type ManageGmailDeps,
  removeGmailAccount,
} from './manage-gmail.ts';
import { OperatorError } from './operator-error.ts';

const credentials = { kind: 'password', password: 'abcd efgh' } as const;

async function open() {
  const services = await openServices();
  const deps: ManageGmailDeps = {
    gmail: services.store.gmail,
    secrets: createAccountSecrets(randomBytes(32)),
  };
  return { ...services, manage: deps };
}

it('sets up an account as Gmail has it, its credentials sealed', async () => {
  const { manage } = await open();
  const added = await addGmailAccount(manage, { email: ' Quiet.Fox@Gmail.com ', credentials });
  expect(added).toMatchObject({
    email: 'quiet.fox@gmail.com',
    user: 'quiet.fox@gmail.com',
    auth: 'password',
    host: 'imap.gmail.com',
    port: 993,
    security: 'tls',
    inboxFolder: null,
    spamFolder: null,
  });
  expect(manage.secrets.open(added)).toEqual(credentials);
  expect(Buffer.from(added.sealedCredentials).includes('abcd')).toBe(false);
});

it('sets up an account elsewhere as requested', async () => {
  const { manage } = await open();
  const token = {
    kind: 'oauth2',
    clientId: 'id',
    clientSecret: 'secret',
    refreshToken: 'token',
    tokenUrl: 'https://login.example.org/token',
  } as const;
  const added = await addGmailAccount(manage, {
    email: 'box@mail.test',
    credentials: token,
    host: '127.0.0.1',
    security: 'starttls',
    user: 'box',
    inboxFolder: 'Eingang/Ü',
    spamFolder: 'Junk',
  });
  expect(added).toMatchObject({
    host: '127.0.0.1',
    port: 143,
    security: 'starttls',
    user: 'box',
    auth: 'oauth2',
    inboxFolder: 'Eingang/Ü',
    spamFolder: 'Junk',
  });
  expect(manage.secrets.open(added)).toEqual(token);
  const moved = await addGmailAccount(manage, { email: 'box@mail.test', credentials, host: 'mail.test' });
  expect(moved).toMatchObject({ id: added.id, host: 'mail.test', port: 993, user: 'box@mail.test' });
  expect(manage.secrets.open(moved)).toEqual(credentials);
});

const wrong: [Partial<AddGmailAccountRequest>, string][] = [
  [{ email: 'fox+tag@gmail.com' }, 'without a plus tag'],
  [{ email: 'fox' }, 'cannot have aliases'],
  [{ email: 'fox@mail.test' }, '--host'],
  [{ host: 'imap gmail' }, 'not a host name'],
  [{ host: '' }, 'not a host name'],
  [{ port: 0 }, 'port'],
  [{ port: 65_536 }, 'port'],
  [{ user: '' }, 'user'],
  [{ user: 'a\r\nLOGOUT' }, 'user'],
  [{ user: 'x'.repeat(256) }, 'user'],
  [{ inboxFolder: 'IN\nBOX' }, 'folder'],
  [{ credentials: { kind: 'password', password: '' } }, 'empty'],
  [{ credentials: { kind: 'password', password: 'two\nlines' } }, 'single lines'],
  [
    {
      credentials: {
        kind: 'oauth2',
        clientId: 'a',
        clientSecret: '',
        refreshToken: 'b',
        tokenUrl: 'http://login.example.org/token',
      },
    },
    'https',
  ],
];

it.each(wrong)('refuses %j', async (change, message) => {
  const { manage } = await open();
  const adding = addGmailAccount(manage, { email: 'fox@gmail.com', credentials, ...change });
  await expect(adding).rejects.toThrow(OperatorError);
  await expect(adding).rejects.toThrow(message);
  expect(await manage.gmail.listAccounts()).toEqual([]);
});

it('sets up no mailbox twice under two spellings', async () => {
  const { manage } = await open();
  await addGmailAccount(manage, { email: 'quiet.fox@gmail.com', credentials });
  for (const email of ['quietfox@gmail.com', 'Quiet.Fox@googlemail.com']) {
    await expect(addGmailAccount(manage, { email, credentials })).rejects.toThrow(
      'is the mailbox of quiet.fox@gmail.com, which is set up already.',
    );
  }
  const again = await addGmailAccount(manage, { email: 'quiet.fox@gmail.com', credentials });
  expect(again.id).toBe(1);
});

it('disables, finds and removes accounts by their address in any case', async () => {
  const { manage } = await open();
  const account = await addGmailAccount(manage, { email: 'fox@gmail.com', credentials });
  expect(await getGmailAccount(manage.gmail, 'FOX@gmail.com')).toMatchObject({ id: account.id });
  expect(await disableGmailAccount(manage.gmail, 'Fox@Gmail.com')).toMatchObject({ isActive: false });
  const remove = (gmail: typeof manage.gmail, email: string): Promise<number> =>
    removeGmailAccount(gmail, email, false);
  expect(await remove(manage.gmail, 'Fox@Gmail.com')).toBe(0);
  for (const act of [getGmailAccount, disableGmailAccount, remove]) {
    await expect(act(manage.gmail, 'fox@gmail.com')).rejects.toThrow(
      'There is no Gmail account fox@gmail.com.',
    );
    await expect(act(manage.gmail, 'no address')).rejects.toThrow(OperatorError);
  }
});

it('removes an account with live sessions only where they are to be ended', async () => {
  const { manage, deps, store } = await open();
  const account = await addGmailAccount(manage, { email: 'abcd@gmail.com', credentials });
  await setHealth(store, account, 'healthy');
  await createSession(deps, { useGmail: true, alias: 'plus' });
  await expect(removeGmailAccount(manage.gmail, 'abcd@gmail.com', false)).rejects.toThrow(
    'Gmail account abcd@gmail.com has 1 live session: end them with --end-sessions',
  );
  expect(await removeGmailAccount(manage.gmail, 'abcd@gmail.com', true)).toBe(1);
});

it('counts the dot variants that are free', async () => {
  const { manage, deps, store } = await open();
  const account = await addGmailAccount(manage, { email: 'abcd@gmail.com', credentials });
  await setHealth(store, account, 'healthy');
  expect(await countFreeDotVariants(manage.gmail, account)).toBe(7);
  await createSession(deps, { useGmail: true, alias: 'dot' });
  await createSession(deps, { useGmail: true, alias: 'plus' });
  expect(await countFreeDotVariants(manage.gmail, account)).toBe(6);
  const elsewhere = await addGmailAccount(manage, { email: 'a@mail.test', host: 'mail.test', credentials });
  expect(await countFreeDotVariants(manage.gmail, elsewhere)).toBeNull();
});
