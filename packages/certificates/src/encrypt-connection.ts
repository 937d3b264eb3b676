// The server's side of HTTPS on an accepted connection. The certificate is asked for at each handshake, so a new one
// needs no restart. Also answers validating servers of a certificate authority (RFC 8737), by their protocol alone:
// with a callback for server names Node would ignore the certificate chosen for it.

import type { Socket } from 'node:net';
import { type SecureContext, TLSSocket } from 'node:tls';

import { codeOf } from '../../system-errors/src/error-code.ts';
import type { TlsCertificate } from './tls-certificate.ts';

export interface HttpsParts {
  readonly certificate: TlsCertificate;
  /** Returns the certificate that proves control over a name; undefined for one that is not being validated. */
  readonly answerTls: (serverName: string) => SecureContext | undefined;
}

/** Calls `use` when the handshake has succeeded; the connection is gone when it fails or takes too long. */
export type Encrypt = (raw: Socket, use: (secure: Socket) => void) => void;

const handshakeMs = 10_000;
const validation = 'acme-tls/1';
/** HTTP/2 is not served: docs/adr/0023-own-acme-client.md has the figures. */
const served = 'http/1.1';

/** @param onFailure called with the code of a failed handshake, which strangers can cause at any rate */
export function createEncryption(
  { certificate, answerTls }: HttpsParts,
  onFailure: (code: string) => void,
): Encrypt {
  return (raw, use) => {
    const secure = new TLSSocket(raw, {
      isServer: true,
      secureContext: certificate.current(),
      ALPNCallback: ({ servername, protocols }) => {
        if (!protocols.includes(validation)) return protocols.find((name) => name === served);
        const answer = answerTls(servername);
        if (answer) secure.setKeyCert(answer);
        return answer ? validation : undefined;
      },
    });
    const fail = (code: string): void => {
      onFailure(code);
      secure.destroy();
    };
    const timer = setTimeout(() => {
      fail('ETIMEDOUT');
    }, handshakeMs);
    const onError = (error: Error): void => {
      fail(codeOf(error) ?? error.name);
    };
    // A client that leaves before the handshake will not complete it.
    const onEnd = (): void => void secure.destroy();
    secure.on('error', onError);
    secure.once('end', onEnd);
    secure.once('close', () => {
      clearTimeout(timer);
    });
    secure.once('secure', () => {
      clearTimeout(timer);
      if (secure.alpnProtocol === validation) {
        // Nothing else may be said on it (RFC 8737 §4).
        secure.end();
        return;
      }
      secure.off('error', onError).off('end', onEnd);
      use(secure);
    });
  };
}
