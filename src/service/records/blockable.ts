// The networks of a host in a record that can be blocked.

import { toClientNetwork, toWideNetwork } from '#networks/client-network';
import { normaliseBlock } from '#networks/network-set';

/**
 * Returns the blocks of a host and of a network, the narrowest first, as the block list spells them. One that is not
 * known is left out.
 */
export function toBlocks(host: string | null, network: string | null = host): string[] {
  const blocks = [
    ...(host === null ? [] : [normaliseBlock(toClientNetwork(host))]),
    ...(network === null ? [] : [normaliseBlock(toWideNetwork(network))]),
  ];
  return [...new Set(blocks.filter((block) => block !== undefined))];
}
