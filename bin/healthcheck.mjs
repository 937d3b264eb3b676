// Exits with 0 when the service in the same container answers /healthz, or /livez with `mayfly dev`, and with 1
// otherwise: the image's HEALTHCHECK, which has no curl. Checks liveness, not readiness: a full disk is no reason to
// restart. Nor whose certificate it presents: it asks this machine, and the first one takes a while to come.
import http from 'node:http';
import https from 'node:https';

const {
  MAYFLY_HTTP_PORT: port = '8080',
  MAYFLY_HTTP_BASE_PATH: basePath = '',
  MAYFLY_HTTP_TLS: tls = 'off',
} = process.env;
const devPort = /:(\d+)$/.exec(process.env['MP_UI_BIND_ADDR'] ?? '')?.[1] ?? '8025';
const scheme = tls === 'off' || tls === '' ? 'http' : 'https';
const urls = [
  `${scheme}://127.0.0.1:${port}${basePath.replace(/\/+$/, '')}/healthz`,
  `http://127.0.0.1:${devPort}/livez`,
];
try {
  await Promise.any(urls.map(ask));
  // The other request may still wait.
  process.exit(0);
} catch {
  process.exitCode = 1;
}

/**
 * @param {string} url
 * @returns {Promise<void>}
 */
function ask(url) {
  const { get } = url.startsWith('https:') ? https : http;
  return new Promise((resolve, reject) => {
    const request = get(url, { rejectUnauthorized: false, timeout: 4000 }, (response) => {
      if (response.statusCode === 200) resolve();
      else reject(new Error(url));
    });
    request.on('timeout', () => request.destroy(new Error(url)));
    request.on('error', reject);
  });
}
