// Decides whether a new connection is accepted, from the blocked networks and the admission limits. Called by
// smtp-connection.ts once the peer's address is known.

import { isLoopback, normaliseAddress, toClientNetwork, toWideNetwork } from '../../networks/src/client-network.ts';
import { replies, type Reply } from '../../mail-receiver/src/reply.ts';
import type { ListenerParts, Peer } from './listener-parts.ts';

export interface Arrival {
  /** The connection's id. */
  readonly id: string;
  readonly address: string;
  /** Whether the address is from a proxy's header. */
  readonly isProxied: boolean;
}

/** Counts a connection from this address, to be paired with `leave`, or returns the reply that refuses it. */
type Parts = Pick<ListenerParts<never>, 'admission' | 'isNetworkBlocked' | 'sampledLog' | 'counts'>;

export function admitPeer(shared: Parts, { id, address, isProxied }: Arrival): Peer | Reply {
  const { admission, isNetworkBlocked, sampledLog, counts } = shared;
  const remoteAddress = normaliseAddress(address);
  const [network, site] = [toClientNetwork(remoteAddress), toWideNetwork(remoteAddress)];
  const isLocal = !isProxied && isLoopback(remoteAddress);
  const refusal = isNetworkBlocked(remoteAddress) ? replies.blockedNetwork : admission.enter(network, site, isLocal);
  if (refusal) {
    const reply = refusal.trimEnd();
    sampledLog.info('smtp.connection_refused', { connection: id, remoteAddress, reply });
    return refusal;
  }
  counts.recordConnection();
  return { id, remoteAddress, network, isLocal, place: admission.placeOf(network, site) };
}
