// Asks the service whether a key is one of its own, before anything is kept for the caller. A right key is asked about
// once a minute, so that a revoked one ends soon; a network that tries wrong ones is refused without asking.

import { createHash } from 'node:crypto';

import { toClientNetwork, toWideNetwork } from '#networks/client-network';
import { networkShares } from '#networks/network-shares';
import { SharedBudget } from '#networks/shared-budget';

export type KeyVerdict = 'right' | 'wrong' | 'limited' | 'unreachable';

const knownMs = 60_000;
const knownMax = 1000;
const wrongPerMinute = 10;
/** For a /24 or /48. */
const wrongPerSite = 100;
const asksOfNetwork = 4;
/** A /24 or /48 may ask this many times as much at once. */
const siteFactor = 2;
const askMaxMs = 10_000;

export class KeyChecks {
  readonly #url: string;
  /** By the hash of the key: when it was found right, by the monotonic clock. */
  readonly #known = new Map<string, number>();
  readonly #asking = new Map<string, Promise<KeyVerdict>>();
  readonly #asks = new SharedBudget(Infinity);
  /** By network, in the current minute. */
  readonly #wrong = new Map<string, number>();
  #minute = 0;

  constructor(url: string) {
    this.#url = url;
  }

  async check(key: string, address: string): Promise<KeyVerdict> {
    const name = createHash('sha256').update(key).digest('base64');
    if (performance.now() - (this.#known.get(name) ?? -Infinity) < knownMs) return 'right';
    const shared = this.#asking.get(name);
    if (shared) return shared;
    if (this.#isLimited(address)) return 'limited';
    const claim = this.#asks.claim(networkShares(address, asksOfNetwork, siteFactor));
    if (!claim.isHeld) return 'limited';
    const asking = this.#ask(key).finally(() => {
      claim.release();
      this.#asking.delete(name);
    });
    this.#asking.set(name, asking);
    const verdict = await asking;
    if (verdict === 'right') this.#remember(name);
    else this.#known.delete(name);
    if (verdict === 'wrong') this.#recordWrong(address);
    return verdict;
  }

  /** The service compares any key that is given with GET /challenge, which changes nothing. */
  async #ask(key: string): Promise<KeyVerdict> {
    try {
      const answer = await fetch(new URL('challenge', `${this.#url.replace(/\/+$/, '')}/`), {
        headers: { 'x-api-key': key },
        redirect: 'error',
        signal: AbortSignal.timeout(askMaxMs),
      });
      await answer.body?.cancel();
      if (answer.ok) return 'right';
      return answer.status === 401 || answer.status === 403 || answer.status === 429
        ? 'wrong'
        : 'unreachable';
    } catch {
      return 'unreachable';
    }
  }

  #remember(name: string): void {
    this.#known.delete(name);
    this.#known.set(name, performance.now());
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= knownMax) break;
      this.#known.delete(oldest);
    }
  }

  #isLimited(address: string): boolean {
    const minute = Math.floor(performance.now() / 60_000);
    if (minute !== this.#minute) this.#wrong.clear();
    this.#minute = minute;
    const { network, site } = namesOf(address);
    return this.#countOf(network) >= wrongPerMinute || this.#countOf(site) >= wrongPerSite;
  }

  #recordWrong(address: string): void {
    for (const name of Object.values(namesOf(address))) this.#wrong.set(name, this.#countOf(name) + 1);
  }

  #countOf(name: string): number {
    return this.#wrong.get(name) ?? 0;
  }
}

function namesOf(address: string): { readonly network: string; readonly site: string } {
  return { network: toClientNetwork(address), site: `${toWideNetwork(address)} site` };
}
