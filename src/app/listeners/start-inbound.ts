// Takes mail that other services hand over by HTTP. What does it is loaded with the first request. Part of the composition
// root.

import { createSafeFetch } from '#networks/safe-fetch';
import { ScratchFile } from '#mail-receiver/scratch-file';
import type { Logger } from '#telemetry/logger';
import type { Vitals } from '#telemetry/vitals';
import type { ProviderSecret } from '#inbound/provider';
import { openSealed, sealBytes } from '#sealing/seal';
import { deriveRecordKey } from '#sealing/server-key';
import type { Config } from '#config/settings';
import type { InboundDoor } from '../../http/server/inbound-route.ts';
import type { Metrics } from '../../observe/metrics.ts';
import type { BlockList } from '../../service/operating/block-list.ts';
import type { Receiving } from '../../service/services.ts';
import type { Stores } from '../../store/stores.ts';
import { openOnce } from '../open-once.ts';
import { inFlightAddressShare, spillAfterBytes } from './start-smtp.ts';

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
  const open = openOnce(() => load(parts));
  return async (call) => (await open())(call);
}

async function load(parts: InboundStartParts): Promise<InboundDoor> {
  const { createInboundDoor } = await import('../../inbound/inbound-door.ts');
  const { config, store, receiving, blocks, serverKey, vitals, metrics, log } = parts;
  const { smtp, limits, general } = config;
  return createInboundDoor({
    store: store.inbound,
    receiver: { ...receiving, isSenderBlocked: (mailFrom) => blocks.isSenderBlocked(mailFrom) },
    openSecret: (route, sealed) => {
      const plain = openSealed(keyOf(serverKey, route), 'record', sealed).toString();
      return JSON.parse(plain) as ProviderSecret;
    },
    spill: { afterBytes: spillAfterBytes, open: () => new ScratchFile(general.dataDir) },
    settings: {
      messageMaxBytes: smtp.messageMaxBytes,
      recipientsMax: smtp.recipientsMax,
      inFlightMaxBytes: smtp.inFlightMaxBytes,
      inFlightPerAddressMaxBytes:
        limits.rate === 'on' ? inFlightAddressShare * smtp.inFlightMaxBytes : Infinity,
    },
    fetch: createSafeFetch({ schemes: ['https'], ports: [443], allow: [] }),
    now: store.now,
    vitals,
    metrics,
    log,
  });
}

export function sealInbound(serverKey: Uint8Array, route: string, secret: ProviderSecret): Uint8Array {
  return sealBytes(keyOf(serverKey, route), 'record', Buffer.from(JSON.stringify(secret)));
}

function keyOf(serverKey: Uint8Array, route: string): Buffer {
  return deriveRecordKey(serverKey, `inbound ${route}`);
}

/** Returns where a route is called; without a public URL the host is left to the operator. */
export function toInboundUrl({ http }: Pick<Config, 'http'>, route: string, provider: string): string {
  const origin = http.publicUrl === '' ? 'https://HOST' : http.publicUrl;
  return `${origin}${http.basePath}/inbound/${route}${provider === 'mailgun' ? '/mime' : ''}`;
}
