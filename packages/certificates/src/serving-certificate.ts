// The certificate that HTTPS and STARTTLS present: the last one issued, and until there is one a self-signed one. A new
// one is taken at the next handshake; connections keep what they have.

import type { SecureContext } from 'node:tls';

import { createServingContext, type TlsCertificate } from './tls-certificate.ts';
import type { StoredCertificate } from './certificate-records.ts';
import { readFacts } from './issued-certificate.ts';
import type { CertificateFacts } from './renewal-plan.ts';

interface Issued {
  readonly stored: StoredCertificate;
  readonly facts: CertificateFacts;
  readonly context: SecureContext;
}

export class ServingCertificate implements TlsCertificate {
  readonly #selfSigned: TlsCertificate;
  #issued: Issued | undefined;

  constructor(selfSigned: TlsCertificate) {
    this.#selfSigned = selfSigned;
  }

  get isTrusted(): boolean {
    return this.#issued !== undefined;
  }

  get endsAt(): number {
    return this.#issued?.facts.notAfter ?? this.#selfSigned.endsAt;
  }

  get facts(): CertificateFacts | undefined {
    return this.#issued?.facts;
  }

  get chainPem(): string {
    return this.#issued?.stored.chainPem ?? this.#selfSigned.chainPem;
  }

  current(): SecureContext {
    return this.#issued?.context ?? this.#selfSigned.current();
  }

  /** Does nothing for the one in use. @throws Error for one that cannot be used; the last one stays */
  use(stored: StoredCertificate): void {
    if (stored.chainPem === this.#issued?.stored.chainPem) return;
    const context = createServingContext({ cert: stored.chainPem, key: stored.keyPem });
    this.#issued = { stored, facts: readFacts(stored), context };
  }
}
