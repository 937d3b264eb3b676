// The parts that taking mail by HTTP needs. Assembled by app/start-inbound.ts.

import type { ProviderSecret } from '#inbound/provider';
import type { Spill } from '#mail-receiver/message-buffer';
import type { SafeFetch } from '#networks/safe-fetch';
import type { Logger } from '#telemetry/logger';
import type { Vitals } from '#telemetry/vitals';
import type { Metrics } from '../observe/metrics.ts';
import type { Receiving } from '../service/services.ts';
import type { InboundStore } from '../store/inbound-store.ts';

export interface InboundReceiver extends Pick<
  Receiving,
  'resolveRecipient' | 'receiveMessage' | 'recordRefusal' | 'recordUnknownRecipient'
> {
  isSenderBlocked(mailFrom: string | null): boolean;
}

export interface InboundParts {
  readonly store: InboundStore;
  readonly receiver: InboundReceiver;
  /** @throws Error when it was sealed under another key */
  readonly openSecret: (route: string, sealed: Uint8Array) => ProviderSecret;
  /** Where large messages are kept while they arrive. */
  readonly spill: Spill;
  readonly vitals: Pick<Vitals, 'isDiskLow' | 'isOverloaded'>;
  readonly settings: {
    readonly messageMaxBytes: number;
    readonly recipientsMax: number;
    /** The most bytes of bodies that are arriving. */
    readonly inFlightMaxBytes: number;
    /** The part of them that one network may have. */
    readonly inFlightPerAddressMaxBytes: number;
  };
  /** Fetches certificates of SNS, and confirms subscriptions. */
  readonly fetch: SafeFetch;
  /** The store's clock. */
  readonly now: () => number;
  readonly metrics: Metrics;
  readonly log: Logger;
}
