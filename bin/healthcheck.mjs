// Exits with 0 when the service in the same container answers /healthz, with 1 when not: the image's HEALTHCHECK,
// which has no curl. It asks for life, not readiness: a full disk is no reason to restart.
const { MAYFLY_HTTP_PORT: port = '8080', MAYFLY_HTTP_BASE_PATH: basePath = '' } = process.env;
const url = `http://127.0.0.1:${port}${basePath.replace(/\/+$/, '')}/healthz`;
try {
  const response = await fetch(url, { signal: AbortSignal.timeout(4000) });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
