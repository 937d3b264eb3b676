// The audit: every change by an operator leaves an entry, whichever way it is made, and no entry has a secret.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { adminOperations } from '../../src/http/admin/admin-operations.ts';
import type { CommandParameter } from '../../src/operator/command.ts';
import { operatorCommands } from '../../src/operator/commands.ts';
import { addKey } from '../../src/service/operating/manage-keys.ts';
import { startAdminServer } from '../support/service/admin-fixture.ts';
import { createOperatorDeps } from '../support/service/operator-fixture.ts';
import { startOperatorLine } from '../support/service/operator-line.ts';
import { openServices } from '../support/service/service-fixture.ts';
import { ask, startHttp, type Untyped } from './http-harness.ts';

interface Shown {
  readonly by: string;
  readonly who: string;
  readonly action: string;
  readonly target: string;
  readonly outcome: string;
  readonly detail: string;
}

async function start() {
  const harness = await startHttp({ access: {} });
  const admin = await startAdminServer(harness.ruled);
  const call = async (target: string, body?: object, key = admin.key): Promise<Untyped> => {
    const [method = '', path = ''] = target.split(' ');
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const sent = body ? { body: JSON.stringify(body) } : {};
    return (await ask(admin, `/admin/${path}`, { method, headers, ...sent })).json;
  };
  const entries = async (words = ''): Promise<Shown[]> =>
    (await call(`GET audit?words=${encodeURIComponent(words)}`)).entries as Shown[];
  return { harness, admin, call, entries };
}

describe('over the network', () => {
  it('notes who changed what, with what result', async () => {
    const { call, entries } = await start();
    await call('POST add-domain', { name: 'New.Example' });
    await call('POST remove-domain', { name: 'none.example' });
    await call('GET domains');
    expect(await entries()).toMatchObject([
      {
        by: 'key',
        who: 'operator',
        action: 'remove-domain',
        target: 'none.example',
        outcome: 'refused',
        detail: 'There is no domain none.example.',
      },
      {
        by: 'key',
        who: 'operator',
        action: 'add-domain',
        target: 'new.example',
        outcome: 'done',
        detail: '',
      },
    ]);
    expect(await entries('NEW.example done')).toHaveLength(1);
    expect(await entries('add-domain refused')).toEqual([]);
  });

  it('notes what a key without the scope tried, and nothing of strangers', async () => {
    const { admin, call, entries } = await start();
    const reader = await addKey(admin.operator, { name: 'reader', kind: 'admin', scopes: ['read'] });
    expect(await call('POST add-domain', { name: 'x.example' }, reader.key)).toMatchObject({
      code: 'insufficient_scope',
    });
    await call('POST add-domain', { name: 'x.example' }, `mfa_${'x'.repeat(43)}`);
    await call('POST redeem-link', { code: 'x'.repeat(30) });
    expect(await entries()).toMatchObject([{ who: 'reader', action: 'add-domain', outcome: 'refused' }]);
  });

  it('notes the key that a one-time link gave', async () => {
    const { admin, call, entries } = await start();
    const { code } = admin.operator.links!.make();
    const { name } = (await call('POST redeem-link', { code })) as { name: string };
    expect(await entries()).toMatchObject([
      { by: 'link', who: '', action: 'redeem-link', target: `admin ${name}`, outcome: 'done' },
    ]);
  });

  it('changes nothing while it cannot be noted', async () => {
    const { admin, call } = await start();
    Object.assign(admin.operator.audit, { record: () => Promise.reject(new Error('no store')) });
    expect(await call('POST add-domain', { name: 'x.example' })).toMatchObject({ code: 'internal_error' });
    expect(await admin.operator.directory.listDomains()).toHaveLength(1);
  });

  it('notes a fault of ours without what it says', async () => {
    const { admin, call, entries } = await start();
    Object.assign(admin.operator.blocks, { addBlock: () => Promise.reject(new Error('hunter2')) });
    await call('POST add-block', { kind: 'prefix', value: 'bank' });
    expect(await entries()).toMatchObject([
      { action: 'add-block', target: 'prefix bank', outcome: 'failed', detail: 'The log says why.' },
    ]);
  });
});

/** Those that change nothing although they are asked for by POST: they connect elsewhere, or show something once. */
const onlyLook = [
  ...['/admin/begin-passkey', '/admin/begin-passkey-sign-in', '/admin/read-probe'],
  '/admin/test-gmail-account',
];

describe('every operation that changes something', () => {
  it('is declared to', () => {
    const looking = operatorCommands.flatMap((one) =>
      one.method === 'POST' && one.changes === 'nothing' ? [one.path] : [],
    );
    expect(looking.sort()).toEqual(onlyLook);
  });

  it('leaves one entry without a secret, over the network and on the command line', async () => {
    const secret = 'hunter2hunter2hunter2hunter2';
    const { admin, call, entries } = await start();
    const changing = adminOperations.filter(
      ({ method, path }) => method === 'POST' && !onlyLook.includes(path),
    );
    for (const { path, parameters, isOpen } of changing) {
      const before = (await entries()).length;
      const given = Object.entries(parameters).map(([name, one]) => [name, sample(name, one, secret)]);
      await call(`POST ${path.slice(7)}`, Object.fromEntries(given) as object);
      const added = (await entries()).slice(0, (await entries()).length - before);
      expect([path, added.length]).toEqual([path, isOpen === true ? 0 : 1]);
      if (isOpen !== true) expect(added[0]).toMatchObject({ action: path.slice(7), who: 'operator' });
    }
    expect(JSON.stringify(await admin.operator.audit.search({ words: '', limit: 1000 }))).not.toContain(
      secret,
    );
  });

  it.each(['running', 'alone'] as const)('is noted with the user of the machine, %s', async (way) => {
    const services = await openServices();
    const operator = createOperatorDeps(services.store);
    const line = await startOperatorLine(operator);
    const file = join(line.folder, 'secret');
    writeFileSync(file, randomBytes(32).toString('hex'));
    await line[way]('key', 'add', 'ops', '--admin');
    await line[way]('gmail', 'add', 'a@mail.test', '--password-file', file, '--host', 'mail.test');
    await line[way]('secret', 'rotate', '--new-key-file', file);
    await line[way]('key', 'revoke', 'none');
    await line[way]('key', 'list');
    const who = way === 'running' ? 'alice as mayfly' : 'bob';
    const found = await operator.audit.search({ words: '', limit: 100 });
    expect(found.map(({ action, target, outcome }) => `${action} ${target} ${outcome}`).sort()).toEqual([
      'add-gmail-account a@mail.test done',
      'add-key admin ops done',
      'revoke-key none refused',
      'rotate-secret  done',
    ]);
    expect(new Set(found.map(({ actor }) => `${actor.kind}: ${actor.name}`))).toEqual(
      new Set([`command line: ${who}`]),
    );
    const printed = await line[way]('audit', 'rotate-secret');
    expect(printed).toMatch(new RegExp(`^AT .*\n[\\d: -]+ command line ${who} +rotate-secret +done$`));
  });
});

function sample(name: string, parameter: CommandParameter, secret: string): string | number | boolean {
  if (/password|code|signing_key|public_key/.test(name)) return secret;
  switch (parameter.kind) {
    case 'choice':
      return parameter.values[0] ?? '';
    case 'int':
      return parameter.min;
    case 'duration':
      return 60;
    case 'flag':
      return false;
    default:
      return 'sample.example';
  }
}
