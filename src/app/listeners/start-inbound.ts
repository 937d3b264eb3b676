// Takes mail that other services hand over by HTTP. What does it is loaded with the first request. Part of the composition
// root.

import type { Config } from '#config/settings';
import type { InboundDoor } from '../../http/server/inbound-route.ts';
import { openOnce } from '../../domain/open-once.ts';
import type { InboundStartParts } from './open-inbound.ts';

export function startInbound(parts: InboundStartParts): InboundDoor {
  const open = openOnce(async () => (await import('./open-inbound.ts')).openInbound(parts));
  return async (call) => (await open())(call);
}

/** Returns where a route is called; without a public URL the host is left to the operator. */
export function toInboundUrl({ http }: Pick<Config, 'http'>, route: string, provider: string): string {
  const origin = http.publicUrl === '' ? 'https://HOST' : http.publicUrl;
  return `${origin}${http.basePath}/inbound/${route}${provider === 'mailgun' ? '/mime' : ''}`;
}
