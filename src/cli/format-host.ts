// Writes hosts for URLs. A file of its own, because the service does not load the texts of `mayfly dev`.

/** Returns the host as it is in a URL. */
export function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
