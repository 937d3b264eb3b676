// Every route of every listener, as a page of another site makes a browser ask for it: by GET or HEAD, with what the
// browser adds by itself (cookies, remembered Basic credentials, or nothing where there is a default session). Nothing
// changes, whether or not the browser says where the request comes from.

import { describe, expect, it } from 'vitest';

import { dialects } from '../../src/compat/dialects.ts';
import { ajaxFunctions } from '../../src/compat/guerrilla/guerrilla.ts';
import { MailpitIds } from '../../src/compat/mailpit/ids.ts';
import { toAccountId, toMessageId as toMailTmId } from '../../src/compat/mailtm/ids.ts';
import { toServerId } from '../../src/compat/mailosaur/server-id.ts';
import type { Session } from '../../src/domain/session.ts';
import { adminOperations } from '../../src/http/admin/admin-operations.ts';
import { startAdminServer } from '../support/service/admin-fixture.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { allOperations, ask, type Harness, startHttp } from './http-harness.ts';

const browser = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/142.0.0.0 Safari/537.36';

/** Fields that a browser adds about a request that another page wanted. Over plain HTTP it says nothing. */
const wishes: readonly Record<string, string>[] = [
  { 'user-agent': browser },
  { 'user-agent': browser, referer: 'http://evil.example/' },
  { 'user-agent': browser, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' },
  { 'user-agent': browser, 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'no-cors' },
  { 'user-agent': browser, origin: 'http://evil.example' },
  { 'user-agent': browser, origin: 'null' },
];

const functions = Object.keys(ajaxFunctions);
const compatRoutes = dialects.flatMap(({ routes }) => routes);

interface Opened {
  readonly harness: Harness;
  readonly token: string;
  readonly session: Session;
  /** Everything of the session that a request may change. */
  look(): Promise<object>;
}

async function open(isCapture: boolean): Promise<Opened> {
  const made: { token?: string } = {};
  const harness = await startCompat({
    defaultSession:
      ({ services }) =>
      () =>
        services.authenticateToken(made.token),
  });
  const lent = isCapture ? await harness.services.createCaptureSession({}) : await harness.lend();
  made.token = lent.token;
  for (const subject of ['one', 'two']) {
    await harness.deliver(`Subject: ${subject}\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n`, [
      lent.session,
    ]);
  }
  return {
    harness,
    token: lent.token,
    session: lent.session,
    look: async () => {
      const { session } = await harness.services.authenticateToken(lent.token);
      const { address, expiresAt, seq, messageCount } = session;
      const faults = isCapture ? harness.services.showSmtpFaults(session) : [];
      return { address, expiresAt, seq, messageCount, faults };
    },
  };
}

/** Guessable targets: those with an id of a dialect where ids are no secret. */
function targetsOf(path: string, session: Session): string[] {
  const server = toServerId(session);
  if (path === '/ajax.php') {
    const rest = 'email_id=1&email_ids[]=1&email_ids[]=2&email_user=mallory&seq=0&offset=0';
    return functions.flatMap((name) => [
      `${path}?f=${name}&${rest}`,
      `${path}?${rest}&f[0]=${name}`,
      `${path}?f=check_email&f=${name}&${rest}`,
    ]);
  }
  if (path === '/view/:id') return ['/view/latest.html', '/view/latest.txt'];
  const ids = ['latest', '1', `${server}-1`, toMailTmId(session, 1), toAccountId(session), server];
  const filled = ids.map((id) => path.replace(/:\w+/, id).replace(/:\w+/g, '1'));
  const query = `topic=${encodeURIComponent(`/accounts/${toAccountId(session)}`)}&query=x&server=${server}&kind=to`;
  return [...new Set(filled)].map((target) => `${target}?${query}`);
}

const isStream = (path: string): boolean => path.includes('mercure') || path.includes('events');

describe('the listener for dialects', () => {
  it.each([true, false])(
    'changes nothing by GET or HEAD (capture session: %s)',
    async (isCapture) => {
      const { harness, token, session, look } = await open(isCapture);
      const before = await look();
      const basic = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
      const reads = compatRoutes.filter(({ method, path }) => method === 'GET' && !isStream(path));
      expect(reads.length).toBeGreaterThan(40);
      // Only Guerrilla Mail's functions treat other sessions differently.
      const asked = isCapture ? reads : reads.filter(({ path }) => path === '/ajax.php');
      const remembered = [{}, { authorization: basic }, { cookie: `PHPSESSID=${token}` }];
      const silent = { 'user-agent': browser };
      const asks = [
        ...remembered.flatMap((credentials) =>
          ['GET', 'HEAD'].map((method) => [method, credentials] as const),
        ),
        ...wishes.slice(1).map((wish) => ['GET', wish] as const),
      ];
      for (const target of asked.flatMap(({ path }) => targetsOf(path, session))) {
        for (const [method, given] of asks) {
          const answer = await ask(harness, target, { method, headers: { ...silent, ...given } });
          expect(answer.status, target).toBeLessThan(500);
          expect(answer.headers['set-cookie'], target).toBeUndefined();
        }
        expect(await look(), target).toEqual(before);
      }
    },
    120_000,
  );

  it('refuses every other method from another page, with credentials that browsers add', async () => {
    const { harness, token, session, look } = await open(true);
    const before = await look();
    const withoutCredentials = new Set(['/accounts', '/token']);
    const changes = compatRoutes.filter(
      ({ method, path }) => method !== 'GET' && !withoutCredentials.has(path),
    );
    const basic = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
    for (const { method, path } of changes) {
      const target =
        path === '/ajax.php' ? `${path}?f=del_email&email_ids[]=1` : targetsOf(path, session)[0]!;
      for (const foreign of wishes.slice(2)) {
        for (const credentials of [{}, { authorization: basic }]) {
          const type = path === '/ajax.php' ? 'application/x-www-form-urlencoded' : 'text/plain';
          const headers = { ...foreign, ...credentials, 'content-type': type };
          const answer = await ask(harness, target, { method, headers, body: '{"Read":true}' });
          expect([method, target, foreign, answer.status]).toEqual([method, target, foreign, 403]);
        }
      }
    }
    expect(await look()).toEqual(before);
  }, 300_000);

  it('marks a message read for those who know its id, and for programs', async () => {
    const { harness, session, look } = await open(true);
    const { seq } = (await look()) as { seq: number };
    const headers = { 'user-agent': browser };
    const latest = '/api/v1/message/latest';
    expect((await ask(harness, latest, { headers })).json.Subject).toBe('two');
    expect(await look()).toMatchObject({ seq });
    await ask(harness, `/api/v1/message/${new MailpitIds(session).toId(1)}`, { headers });
    expect(await look()).toMatchObject({ seq: seq + 1 });
    await ask(harness, latest, { headers: { 'user-agent': 'python-requests/2.32' } });
    expect(await look()).toMatchObject({ seq: seq + 2 });
  });
});

describe('the main listener', () => {
  it('takes no credentials that browsers add by themselves, and changes nothing by GET', async () => {
    const harness = await startHttp();
    const { token, session } = await harness.lend();
    const before = await harness.store.mail.findLiveSession(session.address);
    const basic = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
    const remembered = [{}, { authorization: basic }, { cookie: `token=${token}; PHPSESSID=${token}` }];
    for (const operation of allOperations) {
      for (const method of operation.method === 'GET' ? ['GET', 'HEAD'] : ['POST']) {
        if (operation.access === 'public' && method === 'POST') continue;
        for (const credentials of remembered) {
          const answer = await ask(harness, `${operation.path}?id=1`, { method, headers: credentials });
          const expected = operation.access === 'session' ? 401 : answer.status;
          expect([method, operation.path, answer.status]).toEqual([method, operation.path, expected]);
        }
      }
    }
    expect(await harness.store.mail.findLiveSession(session.address)).toEqual(before);
  }, 300_000);
});

it('takes no credentials that browsers add by themselves on the operator’s listener', async () => {
  const harness = await startHttp({ access: {} });
  const { port, key } = await startAdminServer(harness.ruled);
  const basic = `Basic ${Buffer.from(`x:${key}`).toString('base64')}`;
  for (const { path, method, isOpen } of adminOperations) {
    // The code of a link is a key itself, which no browser adds.
    if (isOpen === true) continue;
    for (const headers of [{}, { authorization: basic }, { cookie: `key=${key}` }]) {
      const answer = await ask({ ...harness, port }, `${path}?key=${key}&token=${key}`, { method, headers });
      expect([method, path, answer.status]).toEqual([method, path, 401]);
    }
  }
});

describe('/ajax.php', () => {
  const call = (harness: Harness, query: string, headers: Record<string, string> = {}) =>
    ask(harness, `/ajax.php?${query}`, { headers });

  it('changes a session by GET with its token in the URL or as Bearer, from any origin', async () => {
    const { harness, token } = await open(false);
    const { token: own, session } = await harness.lend();
    for (let at = 0; at < 3; at++) await harness.deliver('Subject: x\r\n\r\nx\r\n', [session]);
    const headers = { 'user-agent': browser };
    const byUrl = await call(harness, `f=del_email&email_ids[]=1&sid_token=${own}`, headers);
    const byBearer = await call(harness, 'f=del_email&email_ids[]=2', { ...headers, ...bearer(own) });
    expect([byUrl.json.deleted_ids, byBearer.json.deleted_ids]).toEqual([['1'], ['2']]);
    const byCookie = await call(harness, 'f=del_email&email_ids[]=3', { cookie: `PHPSESSID=${own}` });
    expect([byCookie.status, byCookie.json.auth.error_codes]).toEqual([403, ['foreign_origin']]);
    expect((await call(harness, 'f=del_email&email_ids[]=1')).status).toBe(403);
    expect((await harness.services.authenticateToken(token)).session.messageCount).toBe(2);
  });

  it('changes a session by POST with its cookie, as its clients do', async () => {
    const { harness } = await open(false);
    const { token: own, session } = await harness.lend();
    await harness.deliver('Subject: x\r\n\r\nx\r\n', [session]);
    const answer = await ask(harness, '/ajax.php', {
      method: 'POST',
      headers: { cookie: `PHPSESSID=${own}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'f=del_email&email_ids[]=1',
    });
    expect(answer.json.deleted_ids).toEqual(['1']);
  });

  it('sets a cookie only for a session that it creates, never for a token in a link', async () => {
    const { harness } = await open(false);
    const { token: attackers } = await harness.lend();
    const asks = [
      ...[`f=get_email_address&sid_token=${attackers}`, `f=check_email&sid_token=${attackers}`],
      `f=set_email_user&email_user=fox&sid_token=${attackers}`,
    ];
    const saying = [{}, ...wishes, { 'user-agent': browser, 'sec-fetch-site': 'none' }];
    for (const headers of saying) {
      for (const query of asks) {
        expect((await call(harness, query, headers)).headers['set-cookie']).toBeUndefined();
      }
    }
    const cookieOf = async (headers: Record<string, string>): Promise<unknown> =>
      (await call(harness, 'f=get_email_address', headers)).headers['set-cookie'];
    expect(await cookieOf({ 'user-agent': 'python-requests/2.32' })).toBeDefined();
    expect(await cookieOf({ 'user-agent': browser, 'sec-fetch-site': 'same-origin' })).toBeDefined();
    for (const headers of wishes) expect(await cookieOf(headers)).toBeUndefined();
  });
});
