// Certificates from Pebble, the ACME server that Let's Encrypt publishes for tests: over HTTP and TLS, for names and
// addresses, renewed, refused, and shared by nodes.

import type { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { connect as connectPlain } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';

import { describe, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { usePostgresFixture } from '../support/postgres/postgres-fixture.ts';
import { freePort } from '../support/servers/free-port.ts';
import { Pebble } from '../support/servers/pebble.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';
import { runMayfly } from '../support/service/mayfly-process.ts';

const postgres = usePostgresFixture();
const host = 'mail.example.org';
const names = [host, 'mx.example.org', 'mta-sts.example.org'];
/** So that it is tried at once what works on the Internet too. */
const common = {
  MAYFLY_HTTP_PUBLIC_URL: `https://${host}`,
  MAYFLY_SMTP_HOSTNAME: 'mx.example.org',
  MAYFLY_DOMAINS: 'example.org',
};

interface Presented {
  readonly certificate: X509Certificate;
  readonly isVerified: boolean;
}

/** Makes a handshake, as a client that trusts only Pebble. */
async function present(port: number, ca: string, servername: string): Promise<Presented> {
  const options = /^[\d.]+$/.test(servername) ? {} : { servername };
  const socket = connect({ host: '127.0.0.1', port, ca, rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  const isVerified = socket.authorized;
  socket.destroy();
  if (!certificate) throw new Error('There is no certificate.');
  return { certificate, isVerified };
}

async function presentBySmtp(port: number, ca: string): Promise<Presented> {
  const plain = connectPlain(port, '127.0.0.1');
  const read = async (): Promise<string> => String((await once(plain, 'data'))[0]);
  await read();
  plain.write('EHLO client.test\r\n');
  expect(await read()).toContain('STARTTLS');
  plain.write('STARTTLS\r\n');
  await read();
  const socket = connect({ socket: plain, servername: 'mx.example.org', ca, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  const isVerified = socket.authorized;
  socket.destroy();
  if (!certificate) throw new Error('There is no certificate.');
  return { certificate, isVerified };
}

/** Resolves once the service presents a certificate of Pebble. */
function untilTrusted(pebble: Pebble, servername = host, port = pebble.tlsPort): Promise<Presented> {
  return eventually(async () => {
    const presented = await present(port, await pebble.root(), servername);
    return presented.isVerified ? presented : undefined;
  }, 'the service presents a certificate that verifies');
}

async function ask(
  options: { readonly port: number; readonly ca?: string; readonly path: string; readonly method?: string },
  name = host,
): Promise<{ readonly answer: IncomingMessage; readonly body: string }> {
  const { ca, ...rest } = options;
  const given = { ...rest, host: '127.0.0.1', headers: { host: name }, agent: false as const };
  const request = ca === undefined ? requestHttp(given) : requestHttps({ ...given, ca, servername: name });
  request.end();
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  return { answer, body: await text(answer) };
}

async function status(folder: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const { stdout, stderr } = await runMayfly(folder, ['certificate', 'show'], settings);
  expect(stderr).toBe('');
  return stdout;
}

describe('a certificate from Pebble', () => {
  it('serves HTTPS, SMTP and MTA-STS, in spite of bad nonces, and survives a restart', async () => {
    const pebble = await Pebble.start({ badNonces: 40, names });
    const folder = await useDataFolder();
    const settings = { ...pebble.settings, ...common, MAYFLY_SMTP_MTA_STS: 'enforce' };
    const mayfly = await useMayfly(folder, settings);
    expect(mayfly.origin).toBe(`https://127.0.0.1:${pebble.tlsPort}`);
    const ca = await pebble.root();
    const { certificate } = await untilTrusted(pebble);
    for (const name of names) expect((await present(pebble.tlsPort, ca, name)).isVerified).toBe(true);
    const bySmtp = await presentBySmtp(mayfly.smtpPort, ca);
    expect(bySmtp.isVerified).toBe(true);
    expect(bySmtp.certificate.serialNumber).toBe(certificate.serialNumber);

    const page = await ask({ port: pebble.tlsPort, ca, path: '/domains' });
    expect(page.answer.statusCode).toBe(200);
    expect(page.answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const policy = await ask(
      { port: pebble.tlsPort, ca, path: '/.well-known/mta-sts.txt' },
      'mta-sts.example.org',
    );
    expect(policy.body).toBe('version: STSv1\r\nmode: enforce\r\nmx: mx.example.org\r\nmax_age: 604800\r\n');
    expect(await status(folder, settings)).toContain(`names: ${names.join(', ')}`);
    const health = { MAYFLY_HTTP_TLS: 'acme', MAYFLY_HTTP_PORT: String(pebble.tlsPort) };
    expect((await runProgram(process.execPath, ['bin/healthcheck.mjs'], { env: health })).status).toBe(0);
    expect(mayfly.log).not.toMatch(/PRIVATE KEY|keyAuthorization/);

    await mayfly.stop();
    await pebble.stop();
    await useMayfly(folder, settings);
    const again = await present(pebble.tlsPort, ca, host);
    expect(again.certificate.serialNumber).toBe(certificate.serialNumber);
  });

  it('is proven over TLS, for an IP address, with the profile for those', async () => {
    const pebble = await Pebble.start();
    const folder = await useDataFolder();
    await useMayfly(folder, {
      ...pebble.settings,
      MAYFLY_ACME_NAMES: '127.0.0.1',
      MAYFLY_HTTP_REDIRECT_PORT: 'off',
    });
    const { certificate } = await untilTrusted(pebble, '127.0.0.1');
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    const days = (Date.parse(certificate.validTo) - Date.parse(certificate.validFrom)) / 86_400_000;
    expect(Math.round(days)).toBe(6);
  });

  it('is for an account bound to one of the operator’s, where that is asked for', async () => {
    const hmacKey = Buffer.alloc(32, 9).toString('base64url');
    const pebble = await Pebble.start({ names, externalAccounts: { 'kid-1': hmacKey } });
    const folder = await useDataFolder();
    const bare = { ...pebble.settings, ...common };
    const unbound = await useMayfly(folder, bare);
    await eventually(
      async () => ((await status(folder, bare)).includes('needs the key id') ? true : undefined),
      'the reason is shown',
    );
    await unbound.stop();
    const bound = { ...bare, MAYFLY_ACME_EAB_KEY_ID: 'kid-1', MAYFLY_ACME_EAB_KEY: hmacKey };
    const mayfly = await useMayfly(folder, bound);
    expect((await runMayfly(folder, ['certificate', 'renew'], bound)).status).toBe(0);
    await untilTrusted(pebble);
    expect(mayfly.log).not.toContain(hmacKey);
  });

  it('is replaced without a restart, under open connections', async () => {
    const pebble = await Pebble.start({ names });
    const folder = await useDataFolder();
    const settings = { ...pebble.settings, ...common };
    await useMayfly(folder, settings);
    const first = await untilTrusted(pebble);
    const ca = await pebble.root();
    const open = connect({ host: '127.0.0.1', port: pebble.tlsPort, ca, servername: host });
    await once(open, 'secureConnect');
    expect((await runMayfly(folder, ['certificate', 'renew'], settings)).status).toBe(0);
    await eventually(async () => {
      const { certificate } = await present(pebble.tlsPort, ca, host);
      return certificate.serialNumber === first.certificate.serialNumber ? undefined : true;
    }, 'another certificate is presented');
    open.write(`GET /domains HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    expect(String((await once(open, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    open.destroy();
  });
});

describe('a name that does not lead here', () => {
  it('is named to the operator, and the service goes on without a certificate until it does', async () => {
    const pebble = await Pebble.start({ names: [] });
    const folder = await useDataFolder();
    const settings = { ...pebble.settings, ...common };
    const mayfly = await useMayfly(folder, settings);
    await eventually(
      async () => ((await status(folder, settings)).includes(`${host}:`) ? true : undefined),
      'the failure is shown',
    );
    const ca = await pebble.root();
    expect((await present(pebble.tlsPort, ca, host)).isVerified).toBe(false);
    expect(mayfly.isRunning).toBe(true);
    expect(await status(folder, settings)).toContain('source: self-signed');
    // Senders on this machine would refuse it.
    const smtp = connectPlain(mayfly.smtpPort, '127.0.0.1');
    await once(smtp, 'data');
    smtp.write('EHLO client.test\r\n');
    expect(String((await once(smtp, 'data'))[0])).not.toContain('STARTTLS');
    smtp.destroy();
  });
});

describe('plain HTTP beside HTTPS', () => {
  it('redirects reads, refuses everything else, and answers no unknown challenge', async () => {
    const pebble = await Pebble.start({ names });
    await useMayfly(await useDataFolder(), { ...pebble.settings, ...common });
    await untilTrusted(pebble);
    const port = pebble.httpPort;
    const get = await ask({ port, path: '/docs?x=1' });
    expect(get.answer.statusCode).toBe(308);
    expect(get.answer.headers.location).toBe(`https://${host}:${pebble.tlsPort}/docs?x=1`);
    const other = await ask({ port, path: '/docs' }, 'evil.example');
    expect(other.answer.headers.location).toBe(`https://${host}/docs`);
    expect((await ask({ port, path: '/create-session', method: 'POST' })).answer.statusCode).toBe(403);
    expect((await ask({ port, path: '//evil.example/x' })).answer.headers.location).toBe(
      `https://${host}:${pebble.tlsPort}//evil.example/x`,
    );
    const unknown = await ask({ port, path: '/.well-known/acme-challenge/0123456789abcdef0123' });
    expect(unknown.answer.statusCode).toBe(404);
  });
});

describe('two nodes on one database', () => {
  it('share the certificate, and either answers the challenge', async () => {
    const pebble = await Pebble.start({ names });
    const url = await postgres.createUrl();
    const [one, other] = [await useDataFolder(), await useDataFolder()];
    const shared = { ...pebble.settings, ...common, MAYFLY_STORE_URL: url };
    const elsewhere = {
      MAYFLY_HTTP_PORT: String(await freePort()),
      MAYFLY_HTTP_REDIRECT_PORT: String(await freePort()),
    };
    // The first node has the lease, but Pebble asks the second one.
    const first = await useMayfly(one, { ...shared, ...elsewhere });
    await copyFile(path.join(one, 'server.key'), path.join(other, 'server.key'));
    await useMayfly(other, shared);
    // Its first attempt came before the second node was there.
    expect((await runMayfly(one, ['certificate', 'renew'], { ...shared, ...elsewhere })).status).toBe(0);
    const ofSecond = await untilTrusted(pebble);
    const ofFirst = await untilTrusted(pebble, host, Number(elsewhere.MAYFLY_HTTP_PORT));
    expect(ofFirst.certificate.serialNumber).toBe(ofSecond.certificate.serialNumber);
    expect(first.isRunning).toBe(true);
  });
});
