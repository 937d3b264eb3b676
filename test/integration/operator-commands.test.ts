// Every operator command, over the socket and directly on the store, and the properties of the whole list.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { callService } from '../../src/cli/call-service.ts';
import { formatHelp } from '../../src/cli/help.ts';
import { adminOperations } from '../../src/http/admin/admin-operations.ts';
import { operatorCommands } from '../../src/operator/commands.ts';
import { copyCommand } from '../../src/operator/service.ts';
import { createAccountSecrets } from '../../src/service/operating/account-secrets.ts';
import { createSession } from '../../src/service/addresses/create-session.ts';
import type { OperatorDeps } from '../../src/service/operating/operator-deps.ts';
import { OperatorError } from '../../src/service/operating/operator-error.ts';
import { CopyRefused } from '../../src/store/store-copy.ts';
import { startAdminServer } from '../support/service/admin-fixture.ts';
import { addUsage, setHealth } from '../support/gmail/gmail-account.ts';
import { createOperatorDeps } from '../support/service/operator-fixture.ts';
import { type OperatorLine, startOperatorLine } from '../support/service/operator-line.ts';
import { openServices } from '../support/service/service-fixture.ts';
import { ask, startHttp } from './http-harness.ts';

async function open(given: Partial<OperatorDeps> = {}) {
  const services = await openServices();
  const operator = createOperatorDeps(services.store, given);
  const line = await startOperatorLine(operator);
  return { services, operator, ...line };
}

function write({ folder }: Pick<OperatorLine, 'folder'>, content: string): string {
  const file = join(folder, 'secret');
  writeFileSync(file, content);
  return file;
}

/** Command → its words; FILE and KEY are files of a password and a key. In an order in which each succeeds. */
const lines: Readonly<Record<string, string>> = {
  'domain add': 'domain add b.example --quarantine 60 --refuse-dmarc-reject --unknown reject',
  'domain list': 'domain list',
  'domain set': 'domain set b.example --plus off',
  'domain check': 'domain check b.example',
  'domain disable': 'domain disable b.example',
  'domain remove': 'domain remove b.example --end-sessions',
  dns: 'dns',
  'certificate show': 'certificate show',
  'certificate renew': 'certificate renew',
  'key add': 'key add ops --admin --scope read',
  'key list': 'key list',
  'key revoke': 'key revoke ops',
  'key link': 'key link',
  'passkey list': 'passkey list',
  'passkey remove': 'passkey remove 1',
  'session find': 'session find fox',
  'session domains': 'session domains',
  'session end': 'session end fox@mayfly.test',
  deliveries: 'deliveries fox --outcome accepted --host 192.0.2.0/24 --sender example.org --reply 250',
  refusals: 'refusals --stage connect --cause blocked --since 2026-01-01',
  'block add': 'block add sender spam.example --note why',
  'block list': 'block list',
  'block remove': 'block remove sender spam.example',
  'inbound add': 'inbound add relay --from raw --trust mx.example.org',
  'inbound list': 'inbound list',
  'inbound remove': 'inbound remove relay',
  statistics: 'statistics --days 7 --by hour',
  overview: 'overview',
  audit: 'audit add-domain --limit 5',
  settings: 'settings',
  'gmail add':
    'gmail add a@mail.test --password-file FILE --host mail.test --port 143 --security none --user u',
  'gmail list': 'gmail list',
  'gmail test': 'gmail test a@mail.test',
  'gmail disable': 'gmail disable a@mail.test',
  'gmail enable': 'gmail enable a@mail.test',
  'gmail remove': 'gmail remove a@mail.test --end-sessions',
  'secret rotate': 'secret rotate --new-key-file KEY',
  'server-key forget': 'server-key forget',
  'webhook dead list': 'webhook dead list',
  'webhook dead replay': 'webhook dead replay all',
};

describe('every command', () => {
  it('has its words, help, a path and a line to test it with', () => {
    const withWords = operatorCommands.filter(({ words }) => words !== undefined);
    expect(withWords.map(({ words }) => words).sort()).toEqual(Object.keys(lines).sort());
    expect(new Set(operatorCommands.map(({ path }) => path)).size).toBe(operatorCommands.length);
    const help = formatHelp();
    for (const { words, help: text } of operatorCommands) {
      expect(text).not.toBe('');
      if (words !== undefined) expect(help).toMatch(new RegExp(`^ {2}${words}(?: |$)`, 'm'));
    }
  });

  it.each(['running', 'alone'] as const)('runs with the service %s', async (way) => {
    const given = {
      settings: [{ name: 'MAYFLY_ADMIN_PORT', value: '8081', source: 'environment' as const, file: null }],
      copy: { make: () => Promise.resolve({ file: '/copy', bytes: 1 }) },
    };
    const opened = await open(given);
    const testAccount = () => Promise.resolve({ isWell: true, lines: ['Connected.'] });
    Object.assign(opened.operator.gmail, { testAccount });
    await opened.services.lend('fox');
    const { keys, passkeys, serverKeys } = opened.services.store;
    await serverKeys.claim(randomBytes(16));
    await keys.addKey({
      name: 'boss',
      kind: 'admin',
      scopes: [],
      hash: randomBytes(32),
      ratePerMinute: null,
    });
    const passkey = { name: 'Laptop', credentialId: randomBytes(16), publicKey: randomBytes(16) };
    await passkeys.addPasskey({ ...passkey, keyId: 1, counter: 0, transports: [] });
    const key = join(opened.folder, 'key');
    writeFileSync(key, randomBytes(32).toString('hex'));
    for (const [words, line] of Object.entries(lines)) {
      const file = write(opened, 'hunter2');
      const answer = await opened[way](...line.replace('FILE', file).replace('KEY', key).split(' '));
      expect([words, answer]).toEqual([words, expect.not.stringMatching(/^refused|^$|undefined|hunter2/)]);
    }
  });

  it('is served over the network too, except those for this machine alone', async () => {
    const harness = await startHttp({ access: {} });
    const admin = await startAdminServer(harness.ruled);
    const headers = { authorization: `Bearer ${admin.key}` };
    for (const { method, path, isLocal } of operatorCommands) {
      const { status, json } = await ask(admin, path, { method, headers });
      expect([path, json.code === 'not_found', status === 404]).toEqual([
        path,
        isLocal === true,
        isLocal === true,
      ]);
    }
    const local = operatorCommands.filter(({ isLocal }) => isLocal).map(({ path }) => path);
    expect(local).toEqual([
      ...['/admin/make-link', '/admin/copy-store', '/admin/rotate-secret', '/admin/forget-server-key'],
    ]);
    const parameters = adminOperations.flatMap((one) => Object.keys(one.parameters));
    expect(parameters).not.toContain('admin');
    expect(parameters).not.toContain('oauth2');
  });
});

describe('domains', () => {
  it('are added, listed, disabled and removed', async () => {
    const { services, running } = await open();
    await services.lend();
    expect(await running('domain', 'add', 'Long-Name.example')).toBe(
      'Domain long-name.example is active with id 2.\n' +
        'The demo domain mayfly.test gives out no new addresses; its sessions continue to their end.',
    );
    expect(await running('domain', 'add', 'b.example', '--quarantine', '60')).toContain('id 3');
    await running('domain', 'add', 'c.example', '--unknown', 'accept-and-discard', '--refuse-dmarc-reject');
    await running('domain', 'add', 'c.example', '--accept-dmarc-reject');
    expect(await running('domain', 'disable', 'b.example')).toBe(
      'Domain b.example gives out no new addresses; its sessions continue to their end.',
    );
    expect((await running('domain', 'list')).split('\n')).toEqual([
      'ID  DOMAIN             STATE                                        QUARANTINE',
      '1   mayfly.test        disabled                                     0s',
      '2   long-name.example  active                                       30d',
      '3   b.example          disabled                                     1m',
      '4   c.example          active, discards mail for unknown addresses  30d',
    ]);
    expect(await running('domain', 'remove', 'MAYFLY.test')).toBe(
      'refused: Domain mayfly.test has 1 live session: end them with --end-sessions, or disable the domain and let ' +
        'them come to their end.',
    );
    expect(await running('domain', 'remove', 'MAYFLY.test', '--end-sessions')).toBe(
      'Domain mayfly.test is removed; 1 of its sessions ended.',
    );
  });

  it('say how to begin when there are none', async () => {
    const { running } = await open();
    await running('domain', 'remove', 'mayfly.test');
    expect(await running('domain', 'list')).toBe('No domains. Add one: mayfly domain add example.org');
  });

  it('are checked, including when mail last arrived', async () => {
    const { running, operator } = await open();
    expect(await running('domain', 'check', 'mayfly.test')).toMatch(
      /^mail +warning +None has arrived yet\.$/m,
    );
    await operator.directory.keepLastMail(new Map([['mayfly.test', Date.UTC(2026, 0, 1)]]));
    expect(await running('domain', 'check', 'Mayfly.test')).toMatch(
      /^mail +ok +Last arrived 2026-01-01 00:00:00\.$/m,
    );
    expect(await running('domain', 'check', 'No.test')).toBe('refused: There is no domain "No.test".');
  });

  it.each(['running', 'alone'] as const)(
    'that are impossible are refused with a message, %s',
    async (way) => {
      const { [way]: run } = await open();
      expect(await run('domain', 'add', 'a b')).toMatch(/^refused: "a b" is not a domain name/);
      expect(await run('domain', 'disable', 'none.example')).toBe(
        'refused: There is no domain none.example.',
      );
      expect(await run('domain', 'remove', '')).toMatch(/^refused: "" is not/);
    },
  );
});

it.each(['running', 'alone'] as const)(
  'an empty scope is invalid rather than all of them, %s',
  async (way) => {
    const { [way]: run } = await open();
    expect(await run('key', 'add', 'shop', '--scope', '')).toMatch(/^refused: "" is no scope of a key/);
    expect(await run('key', 'add', 'shop', '--scope', 'create', '--scope', 'gmail')).toMatch(
      /^mfk_.*\nKey shop for create, gmail\./,
    );
    expect(await run('key', 'add', 'ops', '--admin')).toMatch(/^mfa_.*\nKey ops for read, write\./);
  },
);

it('dead webhooks are listed to the millisecond', async () => {
  const dead = {
    rowId: 7,
    endpointId: 2,
    kind: 'message',
    at: 1_767_225_600_123,
    deadAt: 1_767_225_601_456,
    attempts: 9,
    reason: 'gone',
  };
  const { running, operator } = await open();
  const { jobs } = operator;
  const listDead = () => Promise.resolve([dead]);
  Object.assign(operator, { jobs: { listDead, replayDead: (id: number | 'all') => jobs.replayDead(id) } });
  expect((await running('webhook', 'dead', 'list')).split('\n')[1]).toBe(
    '7   2         message  2026-01-01T00:00:00.123Z  2026-01-01T00:00:01.456Z  9      gone',
  );
  expect(await running('webhook', 'dead', 'replay', '5')).toBe('refused: There is no dead webhook 5.');
});

it('a copy that is impossible is refused with the reason', async () => {
  const { folder } = await open({ copy: { make: () => Promise.reject(new CopyRefused('No room.')) } });
  await expect(callService(folder, copyCommand, {})).rejects.toThrow(new OperatorError('No room.'));
});

describe('Gmail accounts', () => {
  async function openGmail() {
    const tested: string[] = [];
    let changes = 0;
    const opened = await open();
    const gmail: OperatorDeps['gmail'] = {
      ...opened.operator.gmail,
      secrets: createAccountSecrets(randomBytes(32)),
      testAccount: ({ email }: { email: string }) => {
        tested.push(email);
        const isWell = email.startsWith('well');
        return Promise.resolve({ isWell, lines: ['Connected.', isWell ? 'INBOX' : 'Refused.'] });
      },
      onAccountsChanged: () => void (changes += 1),
    };
    Object.assign(opened.operator, { gmail });
    const add = (email: string, ...more: readonly string[]): Promise<string> =>
      opened.running('gmail', 'add', email, '--password-file', write(opened, 'hunter2\n'), ...more);
    return { ...opened, gmail, tested, add, countChanges: () => changes };
  }

  it('are added, listed, disabled and removed, and the pollers notified each time', async () => {
    const { services, running, add, countChanges } = await openGmail();
    const { store } = services;
    expect(await running('gmail', 'list')).toBe(
      'No Gmail accounts. Add one: mayfly gmail add you@gmail.com --password-file FILE',
    );
    expect(await add('Quiet@Gmail.com')).toBe(
      'Gmail account quiet@gmail.com is set up with id 1; it gives out aliases once the service has logged in.',
    );
    await add('box@mail.test', '--host', 'mail.test');
    await add('old@gmail.com');
    const [first, second] = await store.gmail.listAccounts();
    if (!first || !second) throw new Error('No accounts.');
    await setHealth(store, first, 'healthy');
    await setHealth(store, second, 'refused');
    await addUsage(store, first, 4096);
    await createSession(services.deps, { useGmail: true });
    expect(await running('gmail', 'disable', 'old@gmail.com')).toBe(
      'Gmail account old@gmail.com gives out no new aliases and receives no mail; its sessions continue to their end.',
    );
    expect(countChanges()).toBe(4);
    expect((await running('gmail', 'list')).split('\n')).toEqual([
      'ID  EMAIL            STATE                         SINCE                SESSIONS  FREE DOTS  BYTES TODAY  UNMATCHED  DETAIL',
      '1   quiet@gmail.com  active                        2026-01-01 00:00:00  1         14         4096         0',
      '2   box@mail.test    login refused, waits for you  2026-01-01 00:00:00  0         -          0            0          as the test wants it',
      '3   old@gmail.com    disabled                      2026-01-01 00:00:00  0         3          0            0',
    ]);
    expect(await running('gmail', 'remove', 'QUIET@gmail.com', '--end-sessions')).toBe(
      'Gmail account quiet@gmail.com is removed; 1 of its sessions ended.',
    );
    expect(countChanges()).toBe(5);
  });

  it('that are impossible are refused, and never with a password', async () => {
    const { running, add, countChanges } = await openGmail();
    const refused = [
      await add('a+b@gmail.com'),
      await add('box@mail.test'),
      await add('a@gmail.com', '--user', ''),
      await running('gmail', 'test', 'a@gmail.com'),
      await running('gmail', 'disable', 'a@gmail.com'),
      await running('gmail', 'remove', 'a@gmail.com'),
    ];
    for (const answer of refused) expect(answer).toMatch(/^refused: (?!.*hunter2)/);
    expect(countChanges()).toBe(0);
  });

  it('are tested, and refused with all lines when they fail', async () => {
    const { running, add, tested } = await openGmail();
    for (const email of ['well@gmail.com', 'ill@gmail.com']) await add(email);
    expect(await running('gmail', 'test', 'well@gmail.com')).toBe('Connected.\nINBOX');
    expect(await running('gmail', 'test', 'ILL@gmail.com')).toBe('refused: Connected.\nRefused.');
    expect(tested).toEqual(['well@gmail.com', 'ill@gmail.com']);
  });

  it('take OAuth 2 credentials from this machine, and move to a new secret key', async () => {
    const opened = await openGmail();
    const token = write(opened, JSON.stringify({ client_id: 'i', client_secret: 's', refresh_token: 'r' }));
    await opened.running('gmail', 'add', 'a@gmail.com', '--oauth2-file', token);
    const newKey = randomBytes(32);
    const file = write(opened, newKey.toString('base64'));
    expect(await opened.running('secret', 'rotate', '--new-key-file', file)).toMatch(
      /^The credentials of 1 account are sealed with the new key\.\nNow replace the old key in MAYFLY_SECRET_KEY_FILE/,
    );
    const [account] = await opened.gmail.gmail.listAccounts();
    expect(account && createAccountSecrets(newKey).open(account)).toEqual({
      kind: 'oauth2',
      clientId: 'i',
      clientSecret: 's',
      refreshToken: 'r',
      tokenUrl: 'https://oauth2.googleapis.com/token',
    });
  });
});
