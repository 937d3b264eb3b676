// Bad input on every route of every dialect: wrong credentials, another session's token, invalid ids and bodies, and
// too much of everything. Each response is in the dialect's own form, never a 5xx, and never contains another
// session's data.

import { describe, expect, it } from 'vitest';

import { dialects } from '../../src/compat/dialects.ts';
import { MayflyError } from '../../src/domain/mayfly-error.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { type Route, routesOf, targetsOf } from './compat-routes.ts';
import { ask, type Harness, type HttpAnswer } from './http-harness.ts';

/** Part of every text in the victim's mail, and of nothing else. */
const secret = 'Zebrafish-7391';
const mail = [
  `From: ${secret} <zebrafish7391@example.org>`,
  `To: ${secret} <to-zebrafish7391@example.org>`,
  `Subject: ${secret}`,
  `Message-ID: <zebrafish7391@example.org>`,
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  `<p>${secret} <a href="https://example.org/zebrafish7391">in</a></p>`,
  '--b',
  'Content-Type: text/plain',
  `Content-Disposition: attachment; filename=zebrafish7391.txt`,
  '',
  secret,
  '--b--',
  '',
].join('\r\n');

interface Opened {
  readonly harness: Harness;
  readonly routes: readonly Route[];
  readonly victim: { readonly token: string; readonly address: string };
  readonly stranger: { readonly token: string };
  listIds(): Promise<number[]>;
}

async function open(): Promise<Opened> {
  const harness = await startCompat();
  const victim = await harness.lend();
  const stranger = await harness.lend();
  for (let count = 0; count < 3; count++) await harness.deliver(mail, [victim.session]);
  return {
    harness,
    routes: dialects.flatMap(routesOf),
    victim: { token: victim.token, address: victim.session.address },
    stranger,
    listIds: async () => {
      const live = await harness.services.authenticateToken(victim.token);
      return (await harness.services.checkMail(live.session)).map(({ id }) => id);
    },
  };
}

/** Expects no 5xx, and a failure in the dialect's own form. */
function expectOwnForm(route: Route, target: string, answer: HttpAnswer): void {
  const context = `${route.method} ${target} → ${answer.status} ${answer.text.slice(0, 200)}`;
  expect(answer.status, context).toBeLessThan(500);
  if (answer.status < 400) return;
  const path = target.split('?', 1)[0] ?? '';
  const like = route.dialect.toError(new MayflyError(codeOf(answer.status), 'x'), path, {});
  expect(typeOf(answer.headers['content-type']), context).toBe(typeOf(like.headers['content-type']));
}

/** The status of an error in the route's dialect. */
function statusOf({ dialect, path }: Route, code: MayflyError['code']): number {
  return dialect.toError(new MayflyError(code, 'x'), path, {}).status;
}

function typeOf(field: string | string[] | undefined): string {
  return (field ?? 'application/json').toString().split(';', 1)[0] ?? '';
}

function codeOf(status: number): MayflyError['code'] {
  if (status === 401) return 'unknown_token';
  return status === 404 ? 'not_found' : 'invalid_parameter';
}

const basic = (user: string, password: string): { authorization: string } => ({
  authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
});

function toRequest(route: Route, headers: Record<string, string>, body?: string | Buffer) {
  const isRead = route.method === 'GET';
  return {
    method: route.method,
    headers: {
      ...headers,
      ...(body === undefined || isRead ? {} : { 'content-length': String(body.length) }),
    },
    ...(body === undefined || isRead ? {} : { body }),
  };
}

describe('every route of every dialect', () => {
  it('is a known one, under its own dialect', async () => {
    const { routes } = await open();
    expect(new Set(routes.map(({ dialect }) => dialect.name)).size).toBe(dialects.length);
    expect(routes.length).toBeGreaterThan(20);
  });

  it('requires credentials before anything else, where it is for a session', async () => {
    const { harness, routes } = await open();
    for (const route of routes.filter(({ access }) => access === 'session')) {
      for (const target of targetsOf(route, 'x')) {
        const answer = await ask(harness, target, toRequest(route, {}, '{'));
        expect(answer.status, `${route.method} ${target}`).toBe(statusOf(route, 'missing_token'));
        expectOwnForm(route, target, answer);
      }
    }
  });

  it('shows and changes nothing of another session with a second session’s token', async () => {
    const { harness, routes, victim, stranger, listIds } = await open();
    const before = await listIds();
    const name = victim.address.split('@', 1)[0] ?? '';
    for (const route of routes) {
      for (const fill of [String(before[0]), name, victim.address]) {
        for (const target of targetsOf(route, encodeURIComponent(fill))) {
          for (const headers of [
            bearer(stranger.token),
            basic('any', stranger.token),
            basic(stranger.token, ''),
          ]) {
            const body = JSON.stringify({
              IDs: before.map(String),
              Read: true,
              seen: true,
              sentTo: victim.address,
            });
            const answer = await ask(
              harness,
              target,
              toRequest(route, { ...headers, 'content-type': 'application/json' }, body),
            );
            expectOwnForm(route, target, answer);
            expect(answer.text.toLowerCase(), `${route.method} ${target}`).not.toContain('zebrafish');
          }
        }
      }
    }
    expect(await listIds()).toEqual(before);
    const live = await harness.services.authenticateToken(victim.token);
    const list = await harness.services.checkMail(live.session);
    expect(list.every(({ isRead }) => !isRead)).toBe(true);
  }, 300_000);

  it('refuses invalid credentials, and reveals nothing more', async () => {
    const { harness, routes, victim, listIds } = await open();
    const before = await listIds();
    const wrong = `${victim.token.slice(0, -4)}AAAA`;
    const id = String(before[0]);
    for (const route of routes) {
      for (const target of targetsOf(route, id)) {
        for (const headers of [
          {},
          bearer('mf_wrong'),
          bearer(wrong),
          bearer(''),
          basic('any', wrong),
          basic(wrong, ''),
          basic('', ''),
          { authorization: 'Basic !!!' },
          { authorization: 'Negotiate x' },
          { cookie: `PHPSESSID=${wrong}` },
        ] as Record<string, string>[]) {
          const answer = await ask(harness, target, toRequest(route, headers));
          expectOwnForm(route, target, answer);
          expect(answer.text.toLowerCase(), `${route.method} ${target}`).not.toContain('zebrafish');
        }
      }
    }
    expect(await listIds()).toEqual(before);
  }, 300_000);

  it('survives ids that are not numbers', async () => {
    const { harness, routes, victim } = await open();
    const ids = [
      'x',
      '-1',
      '0',
      '1e3',
      '9'.repeat(30),
      '1.5',
      '%00',
      '..%2f1',
      '%e2%80%ae',
      '__proto__',
      'a'.repeat(2000),
    ];
    for (const route of routes) {
      // Routes without an id give the same response each time.
      for (const id of route.path.includes(':') || route.path === '/ajax.php' ? ids : ['x']) {
        for (const target of targetsOf(route, id)) {
          if (/forget_me|set_email_user/.test(target)) continue;
          const isDelete = route.method === 'DELETE' && !route.path.includes(':');
          if (isDelete) continue;
          const answer = await ask(harness, target, toRequest(route, bearer(victim.token)));
          expectOwnForm(route, target, answer);
        }
      }
    }
  }, 300_000);

  it('survives bodies that are not JSON, or unexpected JSON', async () => {
    const { harness, routes, stranger } = await open();
    const bodies = [
      '{',
      'nothing',
      '[]',
      'null',
      '5',
      '"text"',
      '{"IDs":5,"Search":{},"Read":"x"}',
      '\xff\xfe',
      '{"a":'.repeat(5000),
    ];
    const types = [
      'application/json',
      'application/x-www-form-urlencoded',
      'application/merge-patch+json',
      'multipart/form-data',
      'x',
    ];
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      for (const [at, body] of bodies.entries()) {
        const type = types[at % types.length] ?? '';
        for (const target of targetsOf(route, '1')) {
          for (const contentType of new Set(['application/json', type])) {
            const headers = { ...bearer(stranger.token), 'content-type': contentType };
            const answer = await ask(harness, target, toRequest(route, headers, Buffer.from(body, 'latin1')));
            expectOwnForm(route, target, answer);
          }
        }
      }
    }
  }, 300_000);

  it('refuses bodies of 10 MB, or accepts them where a message may be in them', async () => {
    const { harness, routes, stranger } = await open();
    const body = Buffer.alloc(10 * 1024 * 1024, 'x');
    for (const route of routes.filter(({ method }) => method !== 'GET')) {
      const [target = ''] = targetsOf(route, '1');
      const headers = { ...bearer(stranger.token), 'content-type': 'application/json' };
      const answer = await ask(harness, target, toRequest(route, headers, body));
      expectOwnForm(route, target, answer);
      const isLarge = route.bodyMaxBytes !== undefined;
      const codes = isLarge
        ? (['malformed_body', 'unsupported_media_type'] as const)
        : (['body_too_large'] as const);
      const expected = codes.map((code) => statusOf(route, code));
      expect(expected, `${route.method} ${target}`).toContain(answer.status);
    }
  }, 300_000);

  it('answers missing paths and unsupported methods in the dialect’s form', async () => {
    const { harness, routes, stranger } = await open();
    const methodsOf = new Map<string, Set<string>>();
    for (const { method, path } of routes) {
      const methods = methodsOf.get(path) ?? new Set(['HEAD', 'OPTIONS']);
      methodsOf.set(path, methods.add(method));
    }
    // The root is of two dialects, so that its errors can be in either form.
    for (const route of routes.filter(({ path }) => path !== '/')) {
      const [target = ''] = targetsOf(route, '1');
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
        if (methodsOf.get(route.path)?.has(method)) continue;
        const answer = await ask(harness, target, { method, headers: bearer(stranger.token) });
        expectOwnForm(route, target, answer);
        // A word that replaces an id on other routes, such as `search`, is no message's id.
        expect([400, 404, 405], `${method} ${target}`).toContain(answer.status);
        if (answer.status === 405) expect(answer.headers['allow']).toContain(route.method);
      }
    }
    for (const dialect of dialects) {
      const route = routes.find((one) => one.dialect === dialect && one.path.length > 1);
      const base = route?.path.replace(/\/:.*$/, '') ?? '';
      const path = `${base}/no/such/thing/at/all`;
      const answer = await ask(harness, path, { headers: bearer(stranger.token) });
      expect(answer.status).toBe(404);
      const owner = dialects.find((one) => one.owns(path)) ?? dialects[0];
      const like = owner.toError(new MayflyError('not_found', 'x'), path, {});
      expect(typeOf(answer.headers['content-type'])).toBe(typeOf(like.headers['content-type']));
    }
  }, 300_000);
});
