// Listens for SMTP and makes a connection of every socket. Started by app.ts. Stopping refuses new connections, lets
// messages under way finish, and only then cuts.

import { createServer, type Server, type Socket } from 'node:net';

import type { Logger } from '../observe/logger.ts';
import { endSocket } from './end-socket.ts';
import type { MailReceiver } from './mail-receiver.ts';
import { replies } from './reply.ts';
import { SmtpConnection } from './smtp-connection.ts';

export interface SmtpServerSettings {
  readonly host: string;
  readonly port: number;
  /** Name in the banner and the Received field. */
  readonly hostname: string;
  readonly messageMaxBytes: number;
  readonly recipientsMax: number;
  /** Infinity for none. */
  readonly connectionsMax: number;
  readonly idleTimeoutSeconds: number;
}

export interface SmtpServer {
  readonly address: { readonly host: string; readonly port: number };
  /** Resolves when every connection has ended; those still busy after `graceMs` are cut. */
  close(graceMs: number): Promise<void>;
}

export interface SmtpServerOptions {
  readonly settings: SmtpServerSettings;
  readonly receiver: MailReceiver;
  readonly log: Logger;
  /** Told +1 for each transaction that begins, -1 when its message is handed over or it ends otherwise. */
  readonly onIncoming: (change: 1 | -1) => void;
}

export async function createSmtpServer({
  settings,
  receiver,
  log,
  onIncoming,
}: SmtpServerOptions): Promise<SmtpServer> {
  const connections = new Set<SmtpConnection>();
  let counter = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    if (connections.size >= settings.connectionsMax) {
      refuse(socket);
      return;
    }
    counter += 1;
    const connection = new SmtpConnection({
      socket,
      id: counter.toString(36),
      settings,
      receiver,
      log,
      onIncoming,
    });
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  });
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
    },
  };
}

function refuse(socket: Socket): void {
  socket.on('error', () => {
    socket.destroy();
  });
  endSocket(socket, replies.tooManyConnections);
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
