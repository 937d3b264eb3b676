// Limits how often sessions are created: by API key, else by address. An IPv6 address counts as its /64. Its /48, in
// which one site may have 65,536 such networks, and an IPv4 address's /24 have ten times the limit. Used by
// create-access.ts.

import { GcraLimiter, type RateDecision } from '#networks/gcra-limiter';
import { isTighter, NetworkLimiter } from '#networks/network-limiter';
import type { KeyHolder } from '../../service/operating/keyring.ts';
import { formatPolicies, formatRate, type RateFields, type RatePolicy } from './rate-fields.ts';

export interface CreateRateSettings {
  /** Infinity for no limit. */
  readonly perMinute: number;
  readonly perDay: number;
  readonly perMinuteOfKey: number;
  /** False lifts the rates of individual keys too. */
  readonly limitsKeys: boolean;
  readonly clock?: (() => number) | undefined;
}

export interface CreateRate {
  /** Undefined when nothing is limited. */
  readonly fields: RateFields | undefined;
  /** 0 when it is allowed. */
  readonly retryAfterMs: number;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const unlimited: CreateRate = { fields: undefined, retryAfterMs: 0 };

interface Window {
  readonly policy: RatePolicy;
  readonly limiter: NetworkLimiter;
}

export class CreateRates {
  readonly #settings: CreateRateSettings;
  readonly #windows: readonly Window[];
  readonly #policies: string;
  readonly #ofKeys = new Map<number, { limiter: GcraLimiter<number>; policy: RatePolicy }>();

  constructor(settings: CreateRateSettings) {
    this.#settings = settings;
    const policies: readonly RatePolicy[] = [
      { name: 'create-minute', count: settings.perMinute, periodMs: minuteMs },
      { name: 'create-day', count: settings.perDay, periodMs: dayMs },
    ];
    this.#windows = policies
      .filter(({ count }) => count !== Infinity)
      .map((policy) => ({ policy, limiter: new NetworkLimiter(policy, settings.clock) }));
    this.#policies = formatPolicies(this.#windows.map(({ policy }) => policy));
  }

  takeAddress(address: string): CreateRate {
    if (this.#windows.length === 0) return unlimited;
    let tightest: { policy: RatePolicy; decision: RateDecision } | undefined;
    for (const { policy, limiter } of this.#windows) {
      const decision = limiter.take(address);
      if (!tightest || isTighter(decision, tightest.decision)) tightest = { policy, decision };
      // A refused request does not count in the longer window.
      if (!decision.isAllowed) break;
    }
    return tightest ? toRate(tightest.policy.name, this.#policies, tightest.decision) : unlimited;
  }

  takeKey({ id, ratePerMinute }: KeyHolder): CreateRate {
    const count = ratePerMinute ?? this.#settings.perMinuteOfKey;
    if (!this.#settings.limitsKeys || count === Infinity) return unlimited;
    let known = this.#ofKeys.get(id);
    if (!known) {
      const policy = { name: 'key-create', count, periodMs: minuteMs };
      known = { policy, limiter: new GcraLimiter<number>(policy, this.#settings.clock) };
      this.#ofKeys.set(id, known);
    }
    return toRate(known.policy.name, formatPolicies([known.policy]), known.limiter.take(id));
  }
}

function toRate(name: string, policies: string, decision: RateDecision): CreateRate {
  const fields = { ratelimit: formatRate(name, decision), 'ratelimit-policy': policies };
  return { fields, retryAfterMs: decision.isAllowed ? 0 : Math.max(1, decision.retryAfterMs) };
}
