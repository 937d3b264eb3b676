// Where a client found this listener, for links that lead back to it.

import type { CompatCall } from './dialect.ts';

/** Only the one who asks is shown it, so the proxy's word is good enough. */
export function originOf({ headers }: Pick<CompatCall, 'headers'>): string {
  const scheme = String(headers['x-forwarded-proto'] ?? '').toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${String(headers['host'] ?? 'localhost')}`;
}
