// Divides the places for concurrent webhooks. The operator's endpoint has its own. Of those for sessions, no endpoint,
// host or maker's network can take all, and failing or unproven endpoints share a part, so that a healthy endpoint
// finds a place however many are slow.

/** `failing`: the last try failed. */
export type DueStanding = 'pending' | 'active' | 'failing';

/** An endpoint with due webhooks; tags are the same for those on one host, and for those of one maker's network. */
export interface DueEndpoint {
  readonly endpointId: number;
  readonly standing: DueStanding;
  readonly hostTag: Uint8Array | null;
  readonly makerTag: Uint8Array | null;
}

/** Those that may have no more. */
export interface DueExcept {
  readonly standings: readonly DueStanding[];
  readonly endpoints: readonly number[];
  readonly hostTags: readonly Uint8Array[];
  readonly makerTags: readonly Uint8Array[];
}

/** How many to take from an endpoint. */
export interface LeaseShare {
  readonly endpointId: number;
  readonly rows: number;
}

const operatorSlots = 8;
const sessionSlots = 24;
const ofStanding: Readonly<Record<DueEndpoint['standing'], number>> = {
  active: sessionSlots,
  failing: 8,
  pending: 8,
};
const ofEndpoint = 4;
const ofHost = 8;
const ofMaker = 12;
/** For one maker's network, in the parts of failing and pending endpoints. */
const ofMakerInPart = 4;

interface Claim {
  readonly kind: 'all' | 'endpoint' | 'host' | 'maker' | 'part' | 'standing';
  readonly of: string;
  readonly max: number;
}

const toText = (tag: Uint8Array): string => Buffer.from(tag).toString('hex');

/** Returns everything in which one webhook to the endpoint occupies a place. */
function claimsOf({ endpointId, standing, hostTag, makerTag }: DueEndpoint): Claim[] {
  const claims: Claim[] = [
    { kind: 'all', of: '', max: sessionSlots },
    { kind: 'standing', of: standing, max: ofStanding[standing] },
    { kind: 'endpoint', of: String(endpointId), max: ofEndpoint },
  ];
  if (hostTag) claims.push({ kind: 'host', of: toText(hostTag), max: ofHost });
  if (!makerTag) return claims;
  const maker = toText(makerTag);
  claims.push({ kind: 'maker', of: maker, max: ofMaker });
  if (standing !== 'active') claims.push({ kind: 'part', of: `${standing} ${maker}`, max: ofMakerInPart });
  return claims;
}

/** Places taken, by claim. */
class Taken {
  readonly #counts = new Map<string, { readonly claim: Claim; count: number }>();

  constructor(other?: Taken) {
    for (const [key, { claim, count }] of other ? other.#counts : []) this.#counts.set(key, { claim, count });
  }

  /** Returns false, taking nothing, when one of the claims has no place left. */
  take(claims: readonly Claim[]): boolean {
    if (claims.some((claim) => this.#countOf(claim) >= claim.max)) return false;
    for (const claim of claims) {
      this.#counts.set(keyOf(claim), { claim, count: this.#countOf(claim) + 1 });
    }
    return true;
  }

  give(claims: readonly Claim[]): void {
    for (const claim of claims) {
      const count = this.#countOf(claim) - 1;
      if (count > 0) this.#counts.set(keyOf(claim), { claim, count });
      else this.#counts.delete(keyOf(claim));
    }
  }

  /** Returns the claims of this kind without a place left. */
  full(kind: Claim['kind']): string[] {
    return [...this.#counts.values()]
      .filter(({ claim, count }) => claim.kind === kind && count >= claim.max)
      .map(({ claim }) => claim.of);
  }

  #countOf(claim: Claim): number {
    return this.#counts.get(keyOf(claim))?.count ?? 0;
  }
}

function keyOf({ kind, of }: Claim): string {
  return `${kind} ${of}`;
}

const toTag = (text: string): Buffer => Buffer.from(text, 'hex');

export class WebhookSlots {
  readonly #operatorEndpoint: number;
  readonly #taken = new Taken();
  #operators = 0;

  /** @param operatorEndpoint its id */
  constructor(operatorEndpoint: number) {
    this.#operatorEndpoint = operatorEndpoint;
  }

  /** Returns the places left for the operator's endpoint. */
  operatorRoom(): number {
    return operatorSlots - this.#operators;
  }

  /** Takes a place, even if none is left, and returns its release. */
  takeOperators(): () => void {
    this.#operators += 1;
    return () => {
      this.#operators -= 1;
    };
  }

  hasSessionRoom(): boolean {
    return this.#taken.full('all').length === 0;
  }

  /** Returns undefined when the endpoint may have no more. */
  take(endpoint: DueEndpoint): (() => void) | undefined {
    const claims = claimsOf(endpoint);
    if (!this.#taken.take(claims)) return undefined;
    return () => {
      this.#taken.give(claims);
    };
  }

  /** Returns the endpoints that need not be queried. */
  except(): DueExcept {
    const taken = this.#taken;
    return {
      standings: taken.full('standing') as DueStanding[],
      endpoints: taken.full('endpoint').map(Number),
      hostTags: taken.full('host').map(toTag),
      makerTags: taken.full('maker').map(toTag),
    };
  }

  /** Computes how many rows to lease from each, in turns, as places allow. Reserves no places yet. */
  share(endpoints: readonly DueEndpoint[]): LeaseShare[] {
    const taken = new Taken(this.#taken);
    const rows = new Map<number, number>();
    let isSharing = true;
    while (isSharing) {
      isSharing = false;
      for (const endpoint of endpoints) {
        if (endpoint.endpointId === this.#operatorEndpoint || !taken.take(claimsOf(endpoint))) continue;
        rows.set(endpoint.endpointId, (rows.get(endpoint.endpointId) ?? 0) + 1);
        isSharing = true;
      }
    }
    return [...rows].map(([endpointId, count]) => ({ endpointId, rows: count }));
  }
}
