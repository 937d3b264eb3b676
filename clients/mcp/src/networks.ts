// The networks that a client counts as, from the narrowest: its IPv4 address or IPv6 /64, of which one customer has all
// addresses, and the /24 or /48 around it.

import { isIPv4, isIPv6 } from 'node:net';

import { plainAddress } from './addresses.ts';

export function networksOf(address: string): readonly [network: string, site: string] {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return [plain, `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`];
  if (!isIPv6(plain)) return [plain, plain];
  const [head = '', tail] = plain.toLowerCase().split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  const groups = [...before, ...zeros, ...after].map((group) => group.replace(/^0+(?=.)/, ''));
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`];
}

/** Places that networks share: none has more than its part. */
export class NetworkPlaces {
  readonly #perNetwork: number;
  readonly #counts = new Map<string, number>();

  /** A site may have twice as many. */
  constructor(perNetwork: number) {
    this.#perNetwork = perNetwork;
  }

  /** Returns undefined when the network has no place left. The returned function gives it back, once. */
  take(address: string): (() => void) | undefined {
    const [network, site] = networksOf(address);
    if (this.#countOf(network) >= this.#perNetwork) return undefined;
    if (this.#countOf(`${site} site`) >= 2 * this.#perNetwork) return undefined;
    const names = [network, `${site} site`];
    for (const name of names) this.#counts.set(name, this.#countOf(name) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const name of names) {
        const count = this.#countOf(name) - 1;
        if (count > 0) this.#counts.set(name, count);
        else this.#counts.delete(name);
      }
    };
  }

  #countOf(name: string): number {
    return this.#counts.get(name) ?? 0;
  }
}
