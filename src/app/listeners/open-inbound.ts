// Opens the door for mail that other services hand over by HTTP, and seals their secrets. Loaded when one of them is first
// needed. Part of the composition root.

import { createSafeFetch } from '#networks/safe-fetch';
import { ScratchFile } from '#mail-receiver/scratch-file';
import type { ProviderSecret } from '#inbound/provider';
import { openSealed, sealBytes } from '#sealing/seal';
import { deriveRecordKey } from '#sealing/server-key';
import type { InboundDoor } from '../../http/server/inbound-route.ts';
import { createInboundDoor } from '../../inbound/inbound-door.ts';
import type { Logger } from '#telemetry/logger';
import type { Vitals } from '#telemetry/vitals';
import type { Config } from '#config/settings';
import type { Metrics } from '../../observe/metrics.ts';
import type { BlockList } from '../../service/operating/block-list.ts';
import type { Receiving } from '../../service/services.ts';
import type { Stores } from '../../store/stores.ts';
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

export function openInbound(parts: InboundStartParts): InboundDoor {
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
