// The admin interface on the operator's listener: the effect of each command, what is never shown, and the page.

import { readFileSync } from 'node:fs';
import { Script } from 'node:vm';

import { describe, expect, it } from 'vitest';

import { adminOperations } from '../../src/http/admin/admin-operations.ts';
import { operatorStreams } from '../../src/operator/commands.ts';
import { startAdminServer, type TestAdmin } from '../support/service/admin-fixture.ts';
import { ask, type HttpAnswer, startHttp, type Untyped } from './http-harness.ts';

async function start(given: Parameters<typeof startAdminServer>[1] = {}) {
  const harness = await startHttp({ access: {} });
  const admin = await startAdminServer(harness.ruled, given);
  const get = async (path: string): Promise<Untyped> => (await call(admin, `GET ${path}`)).json;
  const post = async (path: string, body: object): Promise<Untyped> =>
    (await call(admin, `POST ${path}`, body)).json;
  return { harness, admin, get, post };
}

function call(admin: TestAdmin, target: string, body?: object): Promise<HttpAnswer> {
  const [method = '', path = ''] = target.split(' ');
  const headers = { authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' };
  return ask(admin, `/admin/${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

describe('domains', () => {
  it('are listed with their last mail, added, changed, disabled and removed', async () => {
    const { harness, get, post } = await start();
    expect(
      await post('add-domain', { name: 'New.Example', quarantine: 60, refuse_dmarc_reject: 1 }),
    ).toMatchObject({
      status: 'success',
      domain: 'new.example',
    });
    await harness.ruled.operator.directory.keepLastMail(new Map([['mayfly.test', Date.UTC(2026, 0, 1)]]));
    expect((await get('domains')).domains).toMatchObject([
      {
        id: 1,
        domain: 'mayfly.test',
        active: false,
        quarantine_seconds: 0,
        last_mail_at: '2026-01-01 00:00:00',
      },
      {
        domain: 'new.example',
        active: true,
        quarantine_seconds: 60,
        refuses_dmarc_reject: true,
        last_mail_at: null,
      },
    ]);
    expect(await post('set-domain', { name: 'New.Example', plus: 'off' })).toMatchObject({
      domain: 'new.example',
      takes_plus_tags: false,
    });
    expect((await get('domains')).domains).toMatchObject([
      { takes_plus_tags: true },
      { takes_plus_tags: false },
    ]);
    expect(await post('set-domain', { name: 'other.example', plus: 'off' })).toMatchObject({
      code: 'command_refused',
    });
    expect(await post('set-domain', { name: 'new.example' })).toMatchObject({
      code: 'command_refused',
    });
    await post('disable-domain', { name: 'new.example' });
    expect((await get('domains')).domains[1]).toMatchObject({ active: false });
    await post('add-domain', { name: 'mayfly.test' });
    await harness.lend();
    expect(await post('remove-domain', { name: 'mayfly.test' })).toMatchObject({
      code: 'command_refused',
      message: expect.stringContaining('has 1 live session') as string,
    });
    const removal = { name: 'mayfly.test', end_sessions: '1' };
    expect(await post('remove-domain', removal)).toMatchObject({ ended_sessions: 1 });
    expect((await get('domains')).domains).toHaveLength(1);
  });

  it('are checked, and only our own', async () => {
    const { get } = await start();
    expect((await get('check-domain?name=mayfly.test')).checks).toMatchObject([
      { what: 'mx', state: 'unknown' },
      { what: 'tls', state: 'warning' },
    ]);
    expect(await get('check-domain?name=example.org')).toMatchObject({ code: 'command_refused' });
  });

  it('that are impossible are refused with the reason, as on the command line', async () => {
    const { admin, post } = await start();
    const { status, json } = await call(admin, 'POST add-domain', { name: 'a b' });
    expect([status, json.code]).toEqual([409, 'command_refused']);
    expect(json.message).toContain('is not a domain name');
    expect(await post('remove-domain', { name: 'none.example' })).toMatchObject({
      message: 'There is no domain none.example.',
    });
    expect(await post('add-domain', {})).toMatchObject({ code: 'missing_parameter', parameter: 'name' });
  });
});

describe('keys', () => {
  it('are created for callers, shown once, listed without secrets, and revoked', async () => {
    const { harness, get, post } = await start();
    const made = await post('add-key', { name: 'shop', scopes: 'create,webhook', rate: 30 });
    expect(made).toMatchObject({ name: 'shop', scopes: ['create', 'webhook'] });
    expect(harness.ruled.keyring.use(made.key, 'caller')).toBeDefined();
    const listed = await get('keys');
    expect(listed.keys).toMatchObject([
      { name: 'operator', admin: true, scopes: ['read', 'write'] },
      { name: 'shop', admin: false, rate_per_minute: 30, revoked_at: null },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/mf[ak]_|hash/);
    await post('revoke-key', { name: 'shop' });
    expect(harness.ruled.keyring.use(made.key, 'caller')).toBeUndefined();
  });

  it('for admins are not created here', async () => {
    const { post } = await start();
    const made = await post('add-key', { name: 'more', admin: 1, kind: 'admin' });
    expect(made.key).toMatch(/^mfk_/);
    expect(await post('add-key', { name: 'other', scopes: 'write' })).toMatchObject({
      code: 'command_refused',
    });
  });

  it('that revoke themselves stop working', async () => {
    const { admin } = await start();
    await call(admin, 'POST revoke-key', { name: 'operator' });
    expect((await call(admin, 'GET status')).status).toBe(401);
  });
});

describe('sessions', () => {
  it('are counted and found by the start of their address, without mail or token', async () => {
    const { harness, get } = await start();
    const { token, session } = await harness.lend('fox');
    await harness.lend('goose');
    await harness.deliver('Subject: secret code 123456\r\n\r\nbody', [session]);
    const found = await get('sessions?address=FO');
    expect(found).toMatchObject({ live: 2, sessions: [{ email: 'fox@mayfly.test', message_count: 1 }] });
    for (const path of adminOperations
      .filter(({ method }) => method === 'GET')
      .map((one) => one.path.slice(7))) {
      const text = JSON.stringify(await get(`${path}?name=mayfly.test`));
      for (const hidden of ['secret', '123456', 'sender@example.org', token, token.slice(3)]) {
        expect([path, text.includes(hidden)]).toEqual([path, false]);
      }
    }
  });

  it('are ended by their whole address', async () => {
    const { harness, post } = await start();
    const { token } = await harness.lend('fox');
    expect(await post('end-session', { address: 'fo' })).toMatchObject({ code: 'command_refused' });
    expect(await post('end-session', { address: 'Fox@mayfly.test' })).toMatchObject({
      email: 'fox@mayfly.test',
    });
    expect((await ask(harness, `/check-mail?token=${token}`)).status).toBe(410);
    expect(await post('end-session', { address: 'fox@mayfly.test' })).toMatchObject({
      code: 'command_refused',
    });
  });
});

it('tells sessions by domain, and traffic where it is kept', async () => {
  const { harness, get } = await start();
  await harness.lend('fox');
  expect(await get('session-domains')).toMatchObject({
    domains: [{ domain: 'mayfly.test', live_sessions: 1 }],
  });
  expect(await get('traffic?minutes=10')).toMatchObject({ minutes: 10, points: [] });
  expect(await get('traffic?minutes=1441')).toMatchObject({ code: 'invalid_parameter' });
});

it('tells the DNS state of every domain, and of one anew', async () => {
  const { get } = await start();
  const state = {
    domain: 'mayfly.test',
    state: 'warning',
    problem: 'STARTTLS is not offered: mail comes in the clear. Set MAYFLY_SMTP_TLS=on.',
    checked_at: expect.stringMatching(/^\d{4}-/),
    checks: [{ what: 'mx' }, { what: 'tls' }],
  };
  expect(await get('domain-states')).toMatchObject({ domains: [state] });
  expect(await get('domain-states?name=mayfly.test')).toMatchObject({ domains: [state] });
  expect(await get('domain-states?name=example.org')).toMatchObject({ code: 'command_refused' });
});

describe('blocks', () => {
  it('are added, listed and lifted, and effective at once', async () => {
    const { harness, get, post } = await start();
    expect(await post('add-block', { kind: 'prefix', value: 'Bank*', note: 'phishing' })).toMatchObject({
      kind: 'prefix',
      value: 'bank*',
    });
    expect(harness.ruled.blocks.isPrefixBlocked('banker')).toBe(true);
    expect((await get('blocks')).blocks).toMatchObject([
      { kind: 'prefix', value: 'bank*', note: 'phishing' },
    ]);
    await post('remove-block', { kind: 'prefix', value: 'bank*' });
    expect(harness.ruled.blocks.isPrefixBlocked('banker')).toBe(false);
    expect(await post('add-block', { kind: 'x', value: 'y' })).toMatchObject({ code: 'command_refused' });
  });
});

it('shows status, dead webhooks and effective settings', async () => {
  const settings = [
    {
      name: 'MAYFLY_WEBHOOKS_SECRET',
      value: '(set)',
      source: 'file' as const,
      file: '/etc/mayfly/mayfly.env',
    },
  ];
  const { get, post } = await start({ settings });
  expect(await get('status')).toMatchObject({
    ready: true,
    reason: null,
    active_domains: 1,
    keys: 1,
    live_sessions: 0,
  });
  expect(await get('settings')).toMatchObject({
    settings: [
      { name: 'MAYFLY_WEBHOOKS_SECRET', value: '(set)', source: 'file', file: '/etc/mayfly/mayfly.env' },
    ],
  });
  expect(await get('dead-webhooks')).toMatchObject({ dead_webhooks: [] });
  expect(await post('replay-webhook', { id: 'all' })).toMatchObject({ replayed: 0 });
  expect(await post('replay-webhook', { id: '7' })).toMatchObject({ code: 'command_refused' });
  expect(await post('replay-webhook', { id: 'x' })).toMatchObject({ code: 'invalid_parameter' });
});

describe('Gmail accounts', () => {
  it('are set up, listed without credentials, tested, disabled, enabled and removed, and the pollers notified', async () => {
    const { admin, get, post } = await start();
    let changes = 0;
    const tested: string[] = [];
    const gmail = {
      ...admin.operator.gmail,
      onAccountsChanged: () => void (changes += 1),
      testAccount: ({ email }: { email: string }) => {
        tested.push(email);
        return Promise.resolve({ isWell: false, lines: ['Connected.', 'Refused.'] });
      },
    };
    Object.assign(admin.operator, { gmail });
    const password = 'abcd efgh ijkl mnop';
    expect(await post('add-gmail-account', { email: 'Quiet@Gmail.com', password })).toMatchObject({
      id: 1,
      email: 'quiet@gmail.com',
    });
    await post('add-gmail-account', {
      email: 'box@mail.test',
      password,
      host: 'mail.test',
      security: 'starttls',
    });
    const { accounts } = await get('gmail-accounts');
    expect(accounts).toMatchObject([
      {
        id: 1,
        email: 'quiet@gmail.com',
        host: 'imap.gmail.com',
        active: true,
        state: 'new',
        free_dot_variants: 15,
      },
      {
        id: 2,
        email: 'box@mail.test',
        free_dot_variants: null,
        live_sessions: 0,
        // Its settings, so that a new password can be given with the others unchanged.
        host: 'mail.test',
        port: 143,
        security: 'starttls',
        user: 'box@mail.test',
        auth: 'password',
        inbox_folder: null,
        spam_folder: null,
      },
    ]);
    expect(accounts[0].lag_seconds).toBeGreaterThanOrEqual(0);
    expect(JSON.stringify(accounts)).not.toMatch(/abcd|credential|sealed/i);
    expect(await post('test-gmail-account', { email: 'quiet@gmail.com' })).toMatchObject({
      well: false,
      lines: ['Connected.', 'Refused.'],
    });
    expect(tested).toEqual(['quiet@gmail.com']);
    await post('disable-gmail-account', { email: 'quiet@gmail.com' });
    expect((await get('gmail-accounts')).accounts[0]).toMatchObject({ state: 'disabled', lag_seconds: null });
    await post('enable-gmail-account', { email: 'quiet@gmail.com' });
    const [enabled] = await admin.operator.gmail.gmail.listAccounts();
    expect(enabled).toMatchObject({ id: 1, isActive: true });
    expect(gmail.secrets.open(enabled!)).toEqual({ kind: 'password', password });
    expect(await post('remove-gmail-account', { email: 'box@mail.test' })).toMatchObject({
      ended_sessions: 0,
    });
    expect(changes).toBe(5);
  });

  it('that are impossible are refused with the reason, without their password', async () => {
    const { post } = await start();
    const refused = await post('add-gmail-account', { email: 'a+b@gmail.com', password: 'hunter2hunter2' });
    expect(refused).toMatchObject({ code: 'command_refused' });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
    for (const name of ['test', 'disable', 'enable', 'remove']) {
      expect(await post(`${name}-gmail-account`, { email: 'no@gmail.com' })).toMatchObject({
        message: 'There is no Gmail account no@gmail.com.',
      });
    }
  });
});

describe('the listener', () => {
  it('serves its page without inline script or style, under its own policy', async () => {
    const { admin } = await start();
    const page = await ask(admin, '/admin');
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'");
    expect(page.headers['content-security-policy']).not.toContain('unsafe');
    expect(page.text).not.toMatch(/<script(?! src=)|\son\w+=|style=|<style|https?:\/\//i);
    for (const [, target] of page.text.matchAll(/(?:href|src)="([^"]+)"/g)) {
      expect([target, (await ask(admin, target!)).status]).toEqual([target, 200]);
    }
    const script = await ask(admin, '/admin/script.js');
    expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
    expect(script.text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|eval|localStorage/);
    // It is a module, which `Script` cannot parse as such.
    expect(() => new Script(script.text.replaceAll('import.meta', '({})'))).not.toThrow();
  });

  it('refuses other host names, serves nothing of the main interface, and serves metrics to every client', async () => {
    const { admin } = await start();
    expect((await ask(admin, '/admin', { headers: { host: 'evil.example' } })).status).toBe(421);
    for (const path of ['/domains', '/check-mail', '/create-session', '/']) {
      expect([path, (await ask(admin, path)).status]).toEqual([path, 404]);
    }
    expect((await ask(admin, '/metrics')).text).toBe('up 1\n');
  });

  it('is not part of the main one', async () => {
    const { harness } = await start();
    for (const path of ['/admin', '/metrics', ...adminOperations.map((operation) => operation.path)]) {
      expect([path, (await ask(harness, path)).status]).toEqual([path, 404]);
    }
  });
});

it('is documented completely in docs/admin.md', () => {
  const served = [...adminOperations, ...operatorStreams];
  const documented = [
    ...readFileSync('docs/admin.md', 'utf8').matchAll(/^\| `(GET|POST) (\/admin\/[a-z-]+)` +\|(.*?)\|/gm),
  ];
  expect(documented.map(([, method, path]) => `${method} ${path}`).sort()).toEqual(
    served.map(({ method, path }) => `${method} ${path}`).sort(),
  );
  for (const { path, parameters } of served) {
    const row = documented.find((one) => one[2] === path)?.[3] ?? '';
    expect([
      path,
      [...row.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name).filter((name) => name !== 'all'),
    ]).toEqual([path, Object.keys(parameters)]);
  }
});
