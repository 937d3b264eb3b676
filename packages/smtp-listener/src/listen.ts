// Listens for SMTP and creates a connection for each socket. On close it refuses new connections, lets messages in
// progress finish, and then cuts off the rest.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, isIP, type Server } from 'node:net';

import { createEviction } from '../../mail-receiver/src/find-victim.ts';
import { ReplyTurn } from '../../mail-receiver/src/reply-turn.ts';
import { plainAddress } from '../../networks/src/client-network.ts';
import { isListed, toBlockList } from '../../networks/src/public-address.ts';
import type { TlsCertificate } from '../../certificates/src/tls-certificate.ts';
import { Admission, type AdmissionOptions, type AdmissionSettings } from './admission.ts';
import type { ListenerParts } from './listener-parts.ts';
import { SmtpConnection } from './smtp-connection.ts';

export interface SmtpListenerSettings extends AdmissionSettings {
  readonly host: string;
  readonly port: number;
  /** Descriptor of a listening socket to take over, in place of host and port. */
  readonly socket?: number | undefined;
  /** The name in the greeting and in Received fields. */
  readonly hostname: string;
  readonly messageMaxBytes: number;
  readonly recipientsMax: number;
  readonly badCommandsMax: number;
  readonly unknownRecipientsMax: number;
  readonly idleTimeoutSeconds: number;
  readonly bareLineFeed: 'refuse' | 'normalize' | 'keep';
  /** Whether AUTH is accepted on plain connections from hosts other than loopback. */
  readonly authInsecure: 'on' | 'off';
  /** Addresses of load balancers that send a PROXY header. */
  readonly proxyAddresses: readonly string[];
}

export interface SmtpListener {
  readonly address: { readonly host: string; readonly port: number };
  readonly connections: number;
  /** The bytes of incomplete messages. */
  readonly inFlightBytes: number;
  /** Resolves when every connection has ended; those still busy after `graceMs` are cut. */
  close(graceMs: number): Promise<void>;
}

export interface SmtpListenerOptions<Recipient> extends Pick<
  ListenerParts<Recipient>,
  'isNetworkBlocked' | 'log' | 'sampledLog' | 'counts' | 'onTurnedAway' | 'onIncoming'
> {
  readonly settings: SmtpListenerSettings;
  /** Returns what makes the answers of each connection. */
  readonly answer: (admission: Admission) => ListenerParts<Recipient>['createAnswers'];
  /** STARTTLS is not offered when undefined. */
  readonly tls: TlsCertificate | undefined;
  /** Whether STARTTLS is offered to peers on loopback, asked for each; it is when absent. */
  readonly offersTlsOnLoopback: () => boolean;
  readonly vitals: AdmissionOptions['vitals'];
}

/** How often connections are checked for time-outs. */
const timeCheckMs = 500;

export async function listenForSmtp<Recipient>(
  options: SmtpListenerOptions<Recipient>,
): Promise<SmtpListener> {
  const { settings, log, vitals } = options;
  const connections = new Set<SmtpConnection<Recipient>>();
  const admission = new Admission({ settings, vitals, makeRoom: createEviction(connections) });
  const isBalancer = createBalancerCheck(settings.proxyAddresses);
  const shared = {
    ...options,
    ...toEngineSettings(options),
    admission,
    createAnswers: options.answer(admission),
    replyTurn: new ReplyTurn(),
  };
  // Makes connection ids unique across restarts, for logs that span several.
  const run = randomBytes(3).toString('hex');
  let counter = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    counter += 1;
    const expectsProxyHeader = isBalancer(socket.remoteAddress ?? '');
    const id = `${run}-${counter.toString(36)}`;
    const connection = new SmtpConnection(shared, { socket, id, expectsProxyHeader });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  const timeCheck = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.checkTime(now);
  }, timeCheckMs).unref();
  const { host, port, socket } = settings;
  await once(
    server.listen(socket === undefined ? { host, port, backlog: 1024 } : { fd: socket }),
    'listening',
  );
  server.on('error', (error) => {
    log.error('smtp.listener_error', { error });
  });
  return {
    address: readAddress(server, settings.host),
    get connections() {
      return connections.size;
    },
    get inFlightBytes() {
      return admission.inFlightBytes;
    },
    close: async (graceMs) => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const connection of connections) connection.stop();
      const cut = setTimeout(() => {
        for (const connection of connections) connection.destroy();
      }, graceMs);
      await closed;
      clearTimeout(cut);
      clearInterval(timeCheck);
    },
  };
}

/** Returns the engine settings for remote peers and for those on loopback. */
function toEngineSettings({
  settings,
  tls,
  offersTlsOnLoopback,
}: Pick<SmtpListenerOptions<unknown>, 'settings' | 'tls' | 'offersTlsOnLoopback'>) {
  const offersTls = tls !== undefined;
  const offersAuth = settings.authInsecure === 'on' ? ('always' as const) : ('secure' as const);
  const onLoopback = { ...settings, offersAuth: 'always' as const };
  const secured = { ...onLoopback, offersTls: true };
  const plain = { ...onLoopback, offersTls: false };
  return {
    settings: { ...settings, offersTls, offersAuth },
    loopbackSettings: () => (offersTls && offersTlsOnLoopback() ? secured : plain),
  };
}

/** Compares addresses in any spelling; a socket that is already gone has none. */
function createBalancerCheck(addresses: readonly string[]): (remoteAddress: string) => boolean {
  if (addresses.length === 0) return () => false;
  const balancers = toBlockList(addresses.map(plainAddress));
  return (remoteAddress) => {
    const address = plainAddress(remoteAddress);
    return isIP(address) !== 0 && isListed(balancers, address);
  };
}

function readAddress(server: Server, host: string): { host: string; port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The SMTP listener has no port.');
  return { host, port: address.port };
}
