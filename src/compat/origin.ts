// The client's address of this listener, for links back to it.

import type { CompatCall } from './dialect.ts';

/** Shown only to the client itself, so the proxy's word is sufficient. */
export function originOf({ headers }: Pick<CompatCall, 'headers'>): string {
  const scheme = String(headers['x-forwarded-proto'] ?? '').toLowerCase() === 'https' ? 'https' : 'http';
  return `${scheme}://${String(headers['host'] ?? 'localhost')}`;
}
