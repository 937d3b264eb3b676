// HTTP Strict Transport Security (RFC 6797): browsers use only HTTPS from then on. For a service whose public URL says
// that it is served so.

/** One year. */
const hstsSeconds = 31_536_000;

/** @param publicUrl an origin, or '' */
export function hstsHeaders(publicUrl: string): Readonly<Record<string, string>> {
  return /^https:/i.test(publicUrl) ? { 'strict-transport-security': `max-age=${hstsSeconds}` } : {};
}
