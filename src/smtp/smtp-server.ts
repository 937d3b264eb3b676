// Listens for SMTP and makes a connection of every socket. Started by app.ts. Stopping refuses new connections, lets
// messages under way finish, and only then cuts.

import { createServer, isIP, type Server } from 'node:net';

import { normaliseAddress } from '../net/client-network.ts';
import { isListed, toBlockList } from '../net/public-address.ts';
import type { Logger } from '../observe/logger.ts';
import type { TlsCertificate } from '../secrets/tls-certificate.ts';
import { Admission, type AdmissionSettings, type Vitals } from './admission.ts';
import type { MailReceiver } from './mail-receiver.ts';
import type { Spill } from './message-buffer.ts';
import { SmtpConnection } from './smtp-connection.ts';

export interface SmtpServerSettings extends AdmissionSettings {
  readonly host: string;
  readonly port: number;
  /** Name in the banner and the Received field. */
  readonly hostname: string;
  readonly messageMaxBytes: number;
  readonly recipientsMax: number;
  readonly badCommandsMax: number;
  readonly unknownRecipientsMax: number;
  readonly idleTimeoutSeconds: number;
  /** Addresses of load balancers that begin with a PROXY header. */
  readonly proxyAddresses: readonly string[];
}

export interface SmtpServer {
  readonly address: { readonly host: string; readonly port: number };
  /** Resolves when every connection has ended; those still busy after `graceMs` are cut. */
  close(graceMs: number): Promise<void>;
}

export interface SmtpServerOptions {
  readonly settings: SmtpServerSettings;
  readonly receiver: MailReceiver;
  /** Where messages too large for memory go while they come in. */
  readonly spill: Spill;
  /** Undefined: STARTTLS is not offered. */
  readonly tls: TlsCertificate | undefined;
  readonly vitals: Vitals;
  readonly log: Logger;
  /** Told +1 for each transaction that begins, -1 when its message is handed over or it ends otherwise. */
  readonly onIncoming: (change: 1 | -1) => void;
}

/** How often connections are looked at for having taken too long. */
const timeCheckMs = 500;

export async function createSmtpServer(options: SmtpServerOptions): Promise<SmtpServer> {
  const { settings, log, vitals } = options;
  const connections = new Set<SmtpConnection>();
  const admission = new Admission({ settings, vitals });
  const isBalancer = createBalancerCheck(settings.proxyAddresses);
  let counter = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    counter += 1;
    const expectsProxyHeader = isBalancer(socket.remoteAddress ?? '');
    const id = counter.toString(36);
    const connection = new SmtpConnection({ ...options, socket, id, admission, expectsProxyHeader });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
  const timeCheck = setInterval(() => {
    const now = performance.now();
    for (const connection of connections) connection.checkTime(now);
  }, timeCheckMs).unref();
  await listen(server, settings);
  server.on('error', (error) => {
    log.error('smtp.listener_error', { error });
  });
  return {
    address: readAddress(server, settings.host),
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

/** Goes by addresses, however they are spelled; a socket that is gone already has none. */
function createBalancerCheck(addresses: readonly string[]): (remoteAddress: string) => boolean {
  if (addresses.length === 0) return () => false;
  const balancers = toBlockList(addresses.map(plainAddress));
  return (remoteAddress) => {
    const address = plainAddress(remoteAddress);
    return isIP(address) !== 0 && isListed(balancers, address);
  };
}

/** Without the zone of a link-local address. */
function plainAddress(address: string): string {
  return normaliseAddress(address).replace(/%.*$/, '');
}

function listen(server: Server, { host, port }: SmtpServerSettings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

function readAddress(server: Server, host: string): { host: string; port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The SMTP listener has no port.');
  return { host, port: address.port };
}
