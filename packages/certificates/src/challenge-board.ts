// Answers the validating servers of a certificate authority on any node: by the token over HTTP (RFC 8555 §8.3), by the
// name over TLS (RFC 8737). Strangers can ask too, and cause at most five look-ups a second.

import { setTimeout as delay } from 'node:timers/promises';
import { createSecureContext, type SecureContext } from 'node:tls';

import { createSelfSigned } from './self-signed.ts';
import { toServerName } from '../../acme/src/identifier.ts';
import type { PresentedChallenge } from '../../acme/src/run-order.ts';
import type { CertificateRecords } from './certificate-records.ts';

export interface ChallengeBoardOptions {
  readonly records: Pick<CertificateRecords, 'readChallenges'>;
  /** The store's clock. */
  readonly now: () => number;
}

const lookIntervalMs = 200;
const dayMs = 86_400_000;
const tokenShape = /^[A-Za-z0-9_-]{16,256}$/;

export class ChallengeBoard {
  readonly #options: ChallengeBoardOptions;
  #challenges: readonly PresentedChallenge[] = [];
  #contexts = new Map<PresentedChallenge, SecureContext>();
  #lookedAt = -Infinity;
  #looking: Promise<void> | undefined;
  #waiting: Promise<void> | undefined;

  constructor(options: ChallengeBoardOptions) {
    this.#options = options;
  }

  /** Returns the text to answer with; undefined for a token that is not one of ours. */
  async answerHttp(token: string): Promise<string | undefined> {
    if (!tokenShape.test(token)) return undefined;
    const known = this.#find(token);
    if (known) return known.keyAuthorization;
    await (this.#waiting ??= this.#lookSoon().finally(() => {
      this.#waiting = undefined;
    }));
    return this.#find(token)?.keyAuthorization;
  }

  /** Returns the certificate to answer with; undefined for a name that is not being validated. */
  answerTls(serverName: string): SecureContext | undefined {
    const asked = serverName.toLowerCase();
    const challenge = this.#challenges.find(
      ({ type, name }) => type === 'tls-alpn-01' && toServerName(name) === asked,
    );
    if (!challenge) return undefined;
    const known = this.#contexts.get(challenge);
    if (known) return known;
    const context = toContext(challenge);
    this.#contexts.set(challenge, context);
    return context;
  }

  /** Reads the challenges of whichever node has ordered. */
  look(): Promise<void> {
    return (this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined;
    }));
  }

  /** All that ask meanwhile wait for the same look. */
  async #lookSoon(): Promise<void> {
    const restMs = this.#lookedAt + lookIntervalMs - performance.now();
    if (restMs > 0) await delay(restMs);
    await this.look();
  }

  async #look(): Promise<void> {
    this.#lookedAt = performance.now();
    const stored = await this.#options.records.readChallenges();
    const isCurrent = stored !== undefined && this.#options.now() < stored.until;
    this.#challenges = isCurrent ? stored.challenges : [];
    this.#contexts = new Map();
  }

  #find(token: string): PresentedChallenge | undefined {
    return this.#challenges.find((challenge) => challenge.type === 'http-01' && challenge.token === token);
  }
}

function toContext({ name, keyAuthorization }: PresentedChallenge): SecureContext {
  const now = Date.now();
  const made = createSelfSigned({
    hostname: name,
    keyAuthorization,
    from: new Date(now - dayMs),
    until: new Date(now + dayMs),
  });
  return createSecureContext({ cert: made.certificatePem, key: made.keyPem, minVersion: 'TLSv1.2' });
}
