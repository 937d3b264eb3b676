// Takes mail that other services hand over by HTTP. What does it is loaded with the first request. Part of the composition
// root.

import type { Logger } from '#telemetry/logger';
import type { Vitals } from '#telemetry/vitals';
import type { Config } from '#config/settings';
import type { InboundDoor } from '../../http/server/inbound-route.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { BlockList } from '../../service/operating/block-list.ts';
import type { Receiving } from '../../service/services.ts';
import type { Stores } from '../../store/stores.ts';
import { openOnce } from '../open-once.ts';

export interface InboundStartParts {
  readonly config: Config;
  readonly store: Stores;
  readonly receiving: Receiving;
  readonly blocks: BlockList;
  readonly vitals: Vitals;
  readonly serverKey: Uint8Array;
  readonly metrics: Metrics;
  readonly log: Logger;
}

export function startInbound(parts: InboundStartParts): InboundDoor {
  const open = openOnce(async () => (await import('./open-inbound.ts')).openInbound(parts));
  return async (call) => (await open())(call);
}

/** Returns where a route is called; without a public URL the host is left to the operator. */
export function toInboundUrl({ http }: Pick<Config, 'http'>, route: string, provider: string): string {
  const origin = http.publicUrl === '' ? 'https://HOST' : http.publicUrl;
  return `${origin}${http.basePath}/inbound/${route}${provider === 'mailgun' ? '/mime' : ''}`;
}
