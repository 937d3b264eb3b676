// The dialect of mail.tm: accounts, domains and errors. For messages see compat-mailtm-messages.test.ts.

import { describe, expect, it } from 'vitest';

import { startCompat } from './compat-harness.ts';
import { ask, type HttpAnswer } from './http-harness.ts';
import { call, date, id24, startAccount } from './mailtm-account.ts';

describe('accounts', () => {
  it('are created, logged in to, shown and deleted', async () => {
    const harness = await startCompat();
    const given = { address: 'Quiet.Fox@MAYFLY.test', password: 'p' };
    const made = await call(harness, 'POST /accounts', { content: given });
    const account = {
      id: id24,
      address: 'quiet.fox@mayfly.test',
      quota: 50_000_000,
      used: 0,
      isDisabled: false,
      isDeleted: false,
      createdAt: date,
      updatedAt: date,
      retentionAt: date,
    };
    expect([made.status, made.json]).toEqual([201, account]);
    expect(made.headers['content-type']).toMatch(/^application\/json/);
    const logged = await call(harness, 'POST /token', { content: given });
    expect([logged.status, logged.json]).toEqual([200, { id: made.json.id, token: expect.any(String) }]);
    const { token, id } = logged.json;
    for (const path of ['/me', `/accounts/${id}`]) {
      const shown = await call(harness, `GET ${path}`, { token });
      expect([shown.status, shown.json]).toEqual([200, account]);
    }
    const headers = { authorization: `Bearer ${token}`, 'user-agent': 'python-requests/2.32.5' };
    expect((await ask(harness, '/me', { headers })).json).not.toHaveProperty('retentionAt');
    const gone = await call(harness, `DELETE /accounts/${id}`, { token });
    expect([gone.status, gone.text]).toEqual([204, '']);
    const after = await call(harness, 'GET /me', { token });
    expect([after.status, after.json]).toMatchObject([401, { code: 401, message: 'Expired JWT Token' }]);
    expect((await call(harness, 'POST /token', { content: given })).status).toBe(401);
  });

  it('include the listener’s session, which cannot be deleted', async () => {
    const harness = await startCompat({
      defaultSession: ({ services }) => {
        const lent = services.createSession({ prefix: 'standing' });
        return async () => services.authenticateToken((await lent).token);
      },
    });
    const { id } = (await call(harness, 'GET /me')).json;
    expect((await call(harness, `DELETE /accounts/${id}`)).status).toBe(401);
    expect((await call(harness, 'GET /me')).json).toMatchObject({ id, address: 'standing@mayfly.test' });
  });

  it('use the token as password for ordinary sessions', async () => {
    const harness = await startCompat();
    const { token, session } = await harness.lend('plain');
    const logged = await call(harness, 'POST /token', {
      content: { address: session.address, password: token },
    });
    expect(logged.json).toMatchObject({ token });
    const wrong = await call(harness, 'POST /token', {
      content: { address: 'other@mayfly.test', password: token },
    });
    expect([wrong.status, wrong.json.message]).toEqual([401, 'Invalid credentials.']);
  });

  it.each([
    [{ address: 'fox@mayfly.test', password: 'p' }, 'address', 'address: This value is already used.'],
    [{ address: 'FOX@mayfly.test', password: 'p' }, 'address', 'address: This value is already used.'],
    [
      { address: 'a@elsewhere.test', password: 'p' },
      'address',
      'address: The domain "elsewhere.test" is not valid.',
    ],
    [{ address: 'nothing', password: 'p' }, 'address', 'address: This value is not a valid email address.'],
    [{ address: 'admin@mayfly.test', password: 'p' }, 'address', expect.stringContaining('reserved')],
    [{ address: 'a..b@mayfly.test', password: 'p' }, 'address', expect.stringMatching(/^address: /)],
    [{ address: 'a+b@mayfly.test', password: 'p' }, 'address', expect.stringMatching(/^address: /)],
    [{ address: 'b@mayfly.test', password: '' }, 'password', 'password: This value should not be blank.'],
    [{ address: 'b@mayfly.test', password: 'x'.repeat(257) }, 'password', expect.stringMatching(/256 bytes/)],
    [{ address: 'b@mayfly.test', password: 7 }, 'password', 'password: This value should be of type string.'],
    [{ password: 'p' }, 'address', 'address: This value should not be blank.'],
  ])('are refused for %j', async (content, field, message) => {
    const { harness } = await startAccount();
    const plain = await call(harness, 'POST /accounts', { content });
    expect([plain.status, plain.json]).toMatchObject([422, { message, detail: message }]);
    expect(plain.json.violations).toEqual([{ propertyPath: field, message: expect.any(String) }]);
    const linked = await call(harness, 'POST /accounts', { content, accept: '*/*' });
    expect(linked.headers['content-type']).toMatch(/^application\/ld\+json/);
    expect([linked.status, linked.json]).toMatchObject([
      422,
      { '@type': 'ConstraintViolationList', 'hydra:description': message, message },
    ]);
  });

  it('are created under the same rules as sessions elsewhere', async () => {
    const given = { address: 'fox@mayfly.test', password: 'p' };
    const limited = await startCompat({ access: { rates: { createsPerMinute: 1 } } });
    expect((await call(limited, 'POST /accounts', { content: given })).status).toBe(201);
    const refused = await call(limited, 'POST /accounts', {
      content: { ...given, address: 'b@mayfly.test' },
    });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, expect.any(String)]);
    const keyed = await startCompat({ access: { isKeyRequired: true } });
    const closed = await call(keyed, 'POST /accounts', { content: given });
    expect([closed.status, closed.json.message]).toEqual([401, expect.stringContaining('API key')]);
  });

  it('count wrong passwords, and reveal no address by them', async () => {
    const { harness, address } = await startAccount({ access: { rates: { authFailuresPerMinute: 3 } } });
    const wrong = await call(harness, 'POST /token', { content: { address, password: 'wrong' } });
    const unknown = await call(harness, 'POST /token', {
      content: { address: 'nobody@mayfly.test', password: 'wrong' },
    });
    expect([wrong.status, wrong.json]).toMatchObject([401, { code: 401, message: 'Invalid credentials.' }]);
    expect([unknown.status, unknown.text]).toEqual([wrong.status, wrong.text]);
    await call(harness, 'POST /token', { content: { address, password: 'wrong' } });
    const limited = await call(harness, 'POST /token', { content: { address, password: 'secret' } });
    expect([limited.status, limited.headers['retry-after']]).toEqual([429, expect.any(String)]);
  });
});

describe('domains', () => {
  it('are listed for everyone, even with an empty Bearer', async () => {
    const harness = await startCompat();
    const domain = {
      id: id24,
      domain: 'mayfly.test',
      isActive: true,
      isPrivate: false,
      createdAt: date,
      updatedAt: date,
    };
    const headers = { accept: 'application/json', authorization: 'Bearer ' };
    const plain = await ask(harness, '/domains?page=1', { headers });
    expect([plain.status, plain.json]).toEqual([200, [domain]]);
    const linked = await ask(harness, '/domains');
    expect(linked.headers['content-type']).toMatch(/^application\/ld\+json/);
    expect(linked.json).toEqual({
      '@context': '/contexts/Domain',
      '@id': '/domains',
      '@type': 'hydra:Collection',
      'hydra:totalItems': 1,
      'hydra:member': [{ '@id': `/domains/${plain.json[0].id}`, '@type': 'Domain', ...domain }],
    });
    const one = await call(harness, `GET /domains/${plain.json[0].id}`);
    expect(one.json).toEqual(domain);
    expect((await call(harness, 'GET /domains/000000000000000000000099')).status).toBe(404);
  });
});

describe('errors', () => {
  it('all have mail.tm’s form, and none is a 5xx', async () => {
    const { harness, send, deliver, get } = await startAccount();
    await deliver();
    const [{ id }] = (await get('/messages')).json;
    const bad = async (line: string, body: string, type: string): Promise<HttpAnswer> => {
      const [method = '', path = ''] = line.split(' ');
      const headers = { 'content-type': type, accept: 'application/json' };
      return ask(harness, path, { method, body, headers });
    };
    for (const body of ['{', '[]', '7', '"x"', '{"address":"\\', '\u0000', `${'['.repeat(100_000)}`]) {
      const answer = await bad('POST /accounts', body, 'application/json');
      expect([answer.status, answer.json.message]).toEqual([400, expect.any(String)]);
    }
    expect((await bad('POST /token', 'a=b', 'application/x-www-form-urlencoded')).status).toBe(415);
    expect((await bad('POST /accounts', 'x'.repeat(10_000_000), 'application/json')).status).toBe(413);
    expect((await send(`PATCH /messages/${id}`, { seen: 'yes' })).status).toBe(400);
    const unknown = await get('/messages/x/y/z', '*/*');
    expect([unknown.status, unknown.json]).toMatchObject([404, { '@type': 'hydra:Error' }]);
    expect((await send('POST /messages')).status).toBe(405);
    for (const wrong of [
      'x',
      '0',
      '1',
      'ffffffffffffffffffffffff',
      `${id}0`,
      id.toUpperCase().replace(/^./, 'F'),
    ]) {
      expect((await get(`/messages/${wrong}`)).status).toBe(404);
    }
  });

  it('separate the accounts completely', async () => {
    const one = await startAccount();
    const other = await startAccount(one.harness, 'other');
    await one.deliver();
    const [{ id }] = (await one.get('/messages')).json;
    const [attachment] = (await one.get(`/messages/${id}`)).json.attachments;
    const lines = [
      ...['', '/source', '/download'].map((end) => `GET /messages/${id}${end}`),
      ...[`GET ${attachment.downloadUrl}`, `GET /sources/${id}`, `DELETE /messages/${id}`],
      ...[`PUT /messages/${id}/read`, `PATCH /messages/${id}`, `GET /accounts/${one.id}`],
      ...[`DELETE /accounts/${one.id}`, `GET /.well-known/mercure?topic=/accounts/${one.id}`],
    ];
    for (const line of lines) {
      const asked = line.startsWith('PATCH') ? { seen: true } : undefined;
      expect([line, (await other.send(line, asked)).status]).toEqual([line, 404]);
      const { status, json, headers } = await call(one.harness, line, { content: asked });
      expect([line, status, json.message]).toEqual([line, 401, 'JWT Token not found']);
      expect(headers['www-authenticate']).toBe('Bearer');
      const wrong = await call(one.harness, line, { content: asked, token: `mf_${'x'.repeat(43)}` });
      expect([line, wrong.status, wrong.json.message]).toEqual([line, 401, 'Invalid JWT Token']);
    }
    expect((await one.get('/messages')).json).toMatchObject([{ seen: false }]);
  });
});
