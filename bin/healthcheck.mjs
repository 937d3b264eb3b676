// Exits with 0 when the service in the same container answers /healthz, or /livez with `mayfly dev`, and with 1
// otherwise: the image's HEALTHCHECK, which has no curl. Checks liveness, not readiness: a full disk is no reason to
// restart.
const { MAYFLY_HTTP_PORT: port = '8080', MAYFLY_HTTP_BASE_PATH: basePath = '' } = process.env;
const devPort = /:(\d+)$/.exec(process.env['MP_UI_BIND_ADDR'] ?? '')?.[1] ?? '8025';
const urls = [
  `http://127.0.0.1:${port}${basePath.replace(/\/+$/, '')}/healthz`,
  `http://127.0.0.1:${devPort}/livez`,
];
try {
  await Promise.any(urls.map(ask));
} catch {
  process.exitCode = 1;
}

/** @param {string} url */
async function ask(url) {
  const response = await fetch(url, { signal: AbortSignal.timeout(4000) });
  if (!response.ok) throw new Error(url);
}
