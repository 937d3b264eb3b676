// The server's side of STARTTLS (RFC 3207) on a socket.

import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

export interface SecureSocket {
  readonly secure: Socket;
  /**
   * Resolves with version and cipher, or with undefined when the handshake failed and the socket is gone. Never
   * rejects.
   */
  readonly handshake: Promise<string | undefined>;
}

/** Removes all listeners of `plain`. */
export function startTls(plain: Socket, tls: { readonly current: () => SecureContext }): SecureSocket {
  plain.removeAllListeners('data').removeAllListeners('end').removeAllListeners('drain');
  const secure = new TLSSocket(plain, { isServer: true, secureContext: tls.current() });
  const handshake = new Promise<string | undefined>((resolve) => {
    // A sender that closes before the handshake will not complete it.
    const giveUp = (): void => void secure.destroy();
    secure.once('end', giveUp);
    secure.once('secure', () => {
      secure.off('end', giveUp);
      resolve(`${secure.getProtocol() ?? ''} ${secure.getCipher().name}`.trim());
    });
    secure.once('close', () => {
      resolve(undefined);
    });
  });
  return { secure, handshake };
}
