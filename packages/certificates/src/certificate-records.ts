// The stored state of the certificate: the ACME accounts, the certificate with its key, the progress of its renewal and
// the challenges being answered, each sealed under the server's key. Read by every node; written under the lease.

import { openSealed, sealBytes } from '../../sealing/src/seal.ts';
import { deriveRecordKey } from '../../sealing/src/server-key.ts';
import type { PresentedChallenge } from '../../acme/src/run-order.ts';

/** The right of one of several nodes to write; `epoch` grows with every new holder. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly epoch: number;
}

/** Where the records lie, sealed. */
export interface RecordStore {
  /** Resolves with undefined for none. */
  readRecord(name: string): Promise<Uint8Array | undefined>;
  writeRecord(name: string, sealed: Uint8Array): Promise<void>;
  /** Resolves with false, having changed nothing, once another node has the lease. */
  writeRecordUnder(lease: Lease, name: string, sealed: Uint8Array): Promise<boolean>;
}

/** An account at one ACME server. */
export interface StoredAccount {
  /** PKCS #8 in PEM. */
  readonly keyPem: string;
  /** Undefined until the server has registered the key. */
  readonly url?: string | undefined;
}

export interface StoredCertificate {
  readonly directoryUrl: string;
  /** Those ordered. */
  readonly names: readonly string[];
  /** The one asked for. */
  readonly profile?: string | undefined;
  /** The certificate and its chain. */
  readonly chainPem: string;
  readonly keyPem: string;
  /** Instants are ms since 1970, on the store's clock. */
  readonly issuedAt: number;
}

export type FailureKind =
  /** The server is away, or does not keep to the protocol. */
  | 'unreachable'
  | 'rate_limited'
  /** The server did not see the proof of control over a name. */
  | 'validation'
  /** The server will not issue such a certificate, or not to this account. */
  | 'refused'
  /** The certificate issued has ended by the clock here. */
  | 'clock';

export interface StoredFailure {
  readonly kind: FailureKind;
  /** One line for the operator. */
  readonly reason: string;
  readonly at: number;
  /** Counted from `at`, so that a clock that is set back does not prolong it. */
  readonly waitMs: number;
  /** How many there have been in a row. */
  readonly count: number;
}

/** An order that has been begun, with the key of its request. */
export interface StoredOrder {
  readonly directoryUrl: string;
  readonly names: readonly string[];
  readonly keyPem: string;
  readonly url?: string | undefined;
}

/** When the server wants the certificate replaced (RFC 9773). */
export interface StoredAdvice {
  readonly certificateId: string;
  readonly renewAt?: number | undefined;
  readonly explanationUrl?: string | undefined;
  readonly askedAt: number;
  readonly askAgainAfterMs: number;
}

export interface Progress {
  readonly failure?: StoredFailure | undefined;
  readonly order?: StoredOrder | undefined;
  readonly advice?: StoredAdvice | undefined;
  /** The set of names for which a rehearsal at the staging server has succeeded. */
  readonly rehearsed?: string | undefined;
  /** Names that failed repeatedly → until when orders go without them. */
  readonly leftOut?: Readonly<Record<string, number>> | undefined;
}

export interface StoredChallenges {
  readonly challenges: readonly PresentedChallenge[];
  readonly until: number;
}

/** Another node has taken over. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export class CertificateRecords {
  readonly #store: RecordStore;
  readonly #serverKey: Uint8Array;
  readonly #onUnreadable: (name: string, error: unknown) => void;
  readonly #unreadable = new Set<string>();

  /** @param onUnreadable called once for a record that was sealed with another server's key; it counts as absent */
  constructor(
    store: RecordStore,
    serverKey: Uint8Array,
    onUnreadable: (name: string, error: unknown) => void,
  ) {
    this.#store = store;
    this.#serverKey = serverKey;
    this.#onUnreadable = onUnreadable;
  }

  readAccount(directoryUrl: string): Promise<StoredAccount | undefined> {
    return this.#read<StoredAccount>(accountName(directoryUrl));
  }

  writeAccount(lease: Lease, directoryUrl: string, account: StoredAccount): Promise<void> {
    return this.#write(lease, accountName(directoryUrl), account);
  }

  readCertificate(): Promise<StoredCertificate | undefined> {
    return this.#read<StoredCertificate>('certificate');
  }

  writeCertificate(lease: Lease, certificate: StoredCertificate): Promise<void> {
    return this.#write(lease, 'certificate', certificate);
  }

  async readProgress(): Promise<Progress> {
    return (await this.#read<Progress>('certificate progress')) ?? {};
  }

  writeProgress(lease: Lease, progress: Progress): Promise<void> {
    return this.#write(lease, 'certificate progress', progress);
  }

  readChallenges(): Promise<StoredChallenges | undefined> {
    return this.#read<StoredChallenges>('certificate challenges');
  }

  writeChallenges(lease: Lease, challenges: StoredChallenges): Promise<void> {
    return this.#write(lease, 'certificate challenges', challenges);
  }

  /** When the operator last asked for a new certificate; 0 for never. */
  async readRequest(): Promise<number> {
    return (await this.#read<{ readonly at: number }>('certificate request'))?.at ?? 0;
  }

  /** By any node. */
  writeRequest(at: number): Promise<void> {
    return this.#store.writeRecord('certificate request', this.#seal('certificate request', { at }));
  }

  async #read<T>(name: string): Promise<T | undefined> {
    const sealed = await this.#store.readRecord(name);
    if (!sealed) return undefined;
    try {
      const plain = openSealed(this.#keyOf(name), 'record', sealed).toString();
      this.#unreadable.delete(name);
      return JSON.parse(plain) as T;
    } catch (error) {
      if (!this.#unreadable.has(name)) this.#onUnreadable(name, error);
      this.#unreadable.add(name);
      return undefined;
    }
  }

  /** @throws LeaseLost */
  async #write(lease: Lease, name: string, value: object): Promise<void> {
    const isWritten = await this.#store.writeRecordUnder(lease, name, this.#seal(name, value));
    if (!isWritten) throw new LeaseLost('Another node renews the certificate now.');
  }

  #seal(name: string, value: object): Buffer {
    return sealBytes(this.#keyOf(name), 'record', Buffer.from(JSON.stringify(value)));
  }

  #keyOf(name: string): Buffer {
    return deriveRecordKey(this.#serverKey, name);
  }
}

function accountName(directoryUrl: string): string {
  return `acme account ${directoryUrl}`;
}
