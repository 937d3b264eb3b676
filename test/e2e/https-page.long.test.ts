// The page over the service's own HTTPS, in Chromium, which verifies the certificate: from files, and from Pebble. The
// name is one of the Internet, which the browser finds here.

import { createHash, type X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { connect } from 'node:tls';

import { expect, it, onTestFinished } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { codeMail } from '../support/page/app-mails.ts';
import {
  type AppService,
  noFaults,
  openAppPage,
  readAddress,
  useAppService,
  withServiceWorker,
} from '../support/page/app-page.ts';
import { headlessShell, launchChromium } from '../support/page/chromium.ts';
import { makeAuthority } from '../support/servers/certificate.ts';
import { freePort } from '../support/servers/free-port.ts';
import { Pebble } from '../support/servers/pebble.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';

const host = 'mail.example.org';
const originOf = (port: number | string): string => `https://${host}:${port}`;
const common = { MAYFLY_DOMAINS: 'example.org' };

interface Served {
  readonly service: AppService;
  readonly httpsPort: number;
  readonly redirectPort: number;
}

async function serveFiles(): Promise<Served> {
  const folder = await useDataFolder();
  const { cert, key } = makeAuthority().issue(host, 60);
  const [certFile, keyFile] = [path.join(folder, 'own-cert.pem'), path.join(folder, 'own-key.pem')];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key);
  const [httpsPort, redirectPort] = [await freePort(), await freePort()];
  const service = await useAppService({
    ...common,
    MAYFLY_HTTP_TLS: 'files',
    MAYFLY_HTTP_PUBLIC_URL: originOf(httpsPort),
    MAYFLY_HTTP_TLS_CERT_FILE: certFile,
    MAYFLY_HTTP_TLS_KEY_FILE: keyFile,
    MAYFLY_HTTP_PORT: String(httpsPort),
    MAYFLY_HTTP_REDIRECT_PORT: String(redirectPort),
  });
  return { service, httpsPort, redirectPort };
}

async function serveAcme(): Promise<Served> {
  const pebble = await Pebble.start({ names: [host] });
  const { tlsPort: httpsPort, httpPort: redirectPort } = pebble;
  const names = { MAYFLY_SMTP_HOSTNAME: host, MAYFLY_HTTP_PUBLIC_URL: originOf(httpsPort) };
  const service = await useAppService({ ...common, ...pebble.settings, ...names });
  await eventually(async () => {
    const { issuer } = await readCertificate(httpsPort);
    return issuer.includes('Pebble') ? true : undefined;
  }, 'the certificate of Pebble is served');
  return { service, httpsPort, redirectPort };
}

async function readCertificate(port: number): Promise<X509Certificate> {
  const socket = connect({ host: '127.0.0.1', port, servername: host, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  const certificate = socket.getPeerX509Certificate();
  socket.destroy();
  if (!certificate) throw new Error('There is no certificate.');
  return certificate;
}

/** Trusts this key alone, and finds the host here. */
async function openBrowser({ httpsPort }: Served): Promise<Awaited<ReturnType<typeof launchChromium>>> {
  const { publicKey } = await readCertificate(httpsPort);
  const digest = createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('base64');
  const browser = await launchChromium(headlessShell, [
    '--disable-quic',
    `--ignore-certificate-errors-spki-list=${digest}`,
    `--host-resolver-rules=MAP ${host} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
  ]);
  onTestFinished(() => browser.close());
  return browser;
}

it.each([
  ['files', serveFiles],
  ['ACME', serveAcme],
])(
  'serves the page with a certificate from %s, live, offline, and never again by plain HTTP',
  async (_from, serve) => {
    const served = await serve();
    const browser = await openBrowser(served);
    const origin = originOf(served.httpsPort);
    const plainOrigin = `http://${host}:${served.redirectPort}`;

    const plain = await browser.newContext();
    const visitor = await plain.newPage();
    const answer = await visitor.goto(`${plainOrigin}/docs?x=1`);
    expect(answer?.url()).toBe(`${origin}/docs?x=1`);
    expect(answer?.headers()['strict-transport-security']).toMatch(/^max-age=\d{7,}/);
    const redirected = await answer?.request().redirectedFrom()?.response();
    expect(redirected?.status()).toBe(308);
    // From now on the browser itself speaks TLS, even at the port that does not.
    await expect(visitor.goto(`${plainOrigin}/docs`)).rejects.toThrow('ERR_SSL_PROTOCOL_ERROR');
    await plain.close();

    const { page, faults, close } = await openAppPage(
      browser,
      { url: `${origin}/`, origin },
      withServiceWorker,
    );
    onTestFinished(close);
    const email = await readAddress(page);
    expect(email).toContain('@example.org');
    await page.getByText('Live', { exact: true }).waitFor();
    await served.service.send(email, codeMail);
    await page.getByRole('button', { name: 'Copy newest code 482913' }).waitFor();
    expect(await page.evaluate('isSecureContext')).toBe(true);
    expect(await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => scope)')).toBe(
      `${origin}/`,
    );
    expect(faults).toEqual(noFaults);
    await served.service.kill();
    await page.reload();
    expect(await readAddress(page)).toBe(email);
  },
);
