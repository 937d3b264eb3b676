// A client that encrypts: STARTTLS on a connection in the clear, the dialogue going on inside. Used by tests of what TLS
// does to a dialogue.

import { once } from 'node:events';
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls';

import { SmtpClient } from './smtp-client.ts';

export type SecureClient = SmtpClient & { socket: TLSSocket };

/** Says STARTTLS and shakes hands, whatever the certificate. @throws Error when STARTTLS is refused */
export async function startTls(plain: SmtpClient, options: ConnectionOptions = {}): Promise<SecureClient> {
  const reply = await plain.command('STARTTLS');
  if (!reply.startsWith('220 ')) throw new Error(`STARTTLS was answered with ${reply}`);
  plain.socket.removeAllListeners('data');
  const socket = connect({ socket: plain.socket, rejectUnauthorized: false, ...options });
  await once(socket, 'secureConnect');
  return new SmtpClient(socket) as SecureClient;
}
