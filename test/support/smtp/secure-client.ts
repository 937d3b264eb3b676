// A client with STARTTLS: it upgrades an unencrypted connection and continues the dialogue inside. For tests of TLS's
// effect on a dialogue.

import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { SmtpClient } from './smtp-client.ts';

export type SecureClient = SmtpClient & { socket: TLSSocket };

/** Sends STARTTLS and completes the handshake with any certificate. @throws Error when STARTTLS is refused */
export async function startTls(plain: SmtpClient, options: ConnectionOptions = {}): Promise<SecureClient> {
  const reply = await plain.command('STARTTLS');
  if (!reply.startsWith('220 ')) throw new Error(`STARTTLS was answered with ${reply}`);
  plain.socket.removeAllListeners('data');
  const socket = connect({ socket: plain.socket, rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return new SmtpClient(socket) as SecureClient;
}
