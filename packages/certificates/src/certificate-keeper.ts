// Keeps a certificate: every node reads the one in the store and serves it; the node with the lease asks the server when
// to renew it, and orders. A failure changes nothing but the time of the next attempt.

import type { Logger } from '../../telemetry/src/logger.ts';
import { chooseRenewal, readRenewal, toCertificateId, toRenewalUrl } from '../../acme/src/renewal-info.ts';
import type { PresentedChallenge } from '../../acme/src/run-order.ts';
import {
  type CertificateRecords,
  type Lease,
  LeaseLost,
  type Progress,
  type StoredAdvice,
  type StoredCertificate,
  type StoredFailure,
} from './certificate-records.ts';
import type { ChallengeBoard } from './challenge-board.ts';
import { describeFailure, type DescribedFailure } from './ordering/describe-failure.ts';
import { readLeaf } from './issued-certificate.ts';
import { createClient, obtainCertificate, type ObtainParts } from './ordering/obtain-certificate.ts';
import { leaveOut, noteFailure, planRenewal, type WantedCertificate } from './renewal-plan.ts';
import type { ServingCertificate } from './serving-certificate.ts';

export type OrderOutcome = 'issued' | 'rehearsed' | DescribedFailure['kind'];

export interface KeeperOptions extends Pick<
  ObtainParts,
  'transport' | 'userAgent' | 'email' | 'externalAccount' | 'challengeTypes' | 'now' | 'wait'
> {
  readonly records: CertificateRecords;
  readonly serving: ServingCertificate;
  readonly board: ChallengeBoard;
  /** Undefined while another node renews. */
  readonly lease: () => Lease | undefined;
  readonly wanted: () => Promise<WantedCertificate>;
  /** A server at which a new set of names is tried first, because its limits are wide; undefined for none. */
  readonly stagingUrl: string | undefined;
  /** How long other nodes may take to learn of a challenge that they answer from memory; 0 where there are none. */
  readonly learnMs: number;
  readonly log: Logger;
  readonly onOrder: (outcome: OrderOutcome) => void;
  /** From 0 to 1. */
  readonly random?: () => number;
}

const challengesMs = 3_600_000;
const adviceFailedMs = 3_600_000;
const clockToleranceMs = 60_000;
/** An order that could not be finished so often is given up for a new one. */
const resumedMax = 3;

export class CertificateKeeper {
  readonly #options: KeeperOptions;
  readonly #random: () => number;
  #progress: Progress = {};

  constructor(options: KeeperOptions) {
    this.#options = options;
    this.#random = options.random ?? Math.random;
  }

  /** As last read or written by this node. */
  get progress(): Progress {
    return this.#progress;
  }

  /** Takes the certificate of the store. Called often; costs three small reads. */
  async load(): Promise<StoredCertificate | undefined> {
    const { records, serving, board, log } = this.#options;
    const stored = await records.readCertificate();
    if (stored) {
      try {
        serving.use(stored);
      } catch (error) {
        log.error('certificate.unusable', { error });
      }
    }
    this.#progress = await records.readProgress();
    await board.look();
    return stored;
  }

  /** Does what is due now. Rejects only for errors of the store, and when the lease is lost. */
  async step(): Promise<void> {
    const stored = await this.load();
    const lease = this.#options.lease();
    if (!lease) return;
    const wanted = await this.#options.wanted();
    if (stored) await this.#takeAdvice(lease, stored);
    const plan = planRenewal({
      now: this.#options.now(),
      wanted,
      progress: this.#progress,
      certificate: this.#options.serving.facts,
      requestedAt: await this.#options.records.readRequest(),
    });
    if (plan.kind === 'wait' || wanted.names.length === 0) return;
    await this.#order(lease, { ...wanted, names: plan.names }, stored);
  }

  /** At the staging server first, unless these names have passed there. */
  async #order(
    lease: Lease,
    wanted: WantedCertificate,
    stored: StoredCertificate | undefined,
  ): Promise<void> {
    const { stagingUrl } = this.#options;
    const rehearsal = `${wanted.directoryUrl} ${[...wanted.names].sort().join(' ')}`;
    if (stagingUrl !== undefined && this.#progress.rehearsed !== rehearsal) {
      const failure = await this.#attempt(lease, { ...wanted, directoryUrl: stagingUrl }, undefined);
      // Anything else than a failed validation says nothing about the real server.
      if (failure?.kind === 'validation') {
        await this.#fail(lease, failure);
        return;
      }
      if (!failure) this.#note('rehearsed', {});
      await this.#save(lease, { ...this.#progress, rehearsed: rehearsal, order: undefined });
    }
    const issued = await this.#attempt(lease, wanted, stored);
    if (issued) await this.#fail(lease, issued);
  }

  /** Resolves with the failure; after success everything is stored. */
  async #attempt(
    lease: Lease,
    wanted: WantedCertificate,
    stored: StoredCertificate | undefined,
  ): Promise<DescribedFailure | undefined> {
    const { records } = this.#options;
    const isRehearsal = wanted.directoryUrl === this.#options.stagingUrl;
    try {
      const issued = await obtainCertificate(this.#toParts(lease), {
        ...wanted,
        order: this.#progress.order,
        replacedPem: stored?.directoryUrl === wanted.directoryUrl ? stored.chainPem : undefined,
        keepOrder: (order) => this.#save(lease, { ...this.#progress, order }),
      });
      if (isRehearsal) return undefined;
      await records.writeCertificate(lease, issued);
      return await this.#take(lease, issued);
    } catch (error) {
      const failure = describeFailure(error);
      if (!failure) throw error;
      return failure;
    } finally {
      await this.#withdraw(lease);
    }
  }

  async #take(lease: Lease, issued: StoredCertificate): Promise<DescribedFailure | undefined> {
    const { serving, now } = this.#options;
    serving.use(issued);
    const { rehearsed, leftOut, failure } = this.#progress;
    if (serving.endsAt <= now()) {
      const reason = 'The new certificate has ended already: the clock of this machine is wrong.';
      await this.#save(lease, { rehearsed, leftOut, failure });
      return { kind: 'clock', reason, retryAfterMs: undefined, refusedNames: [] };
    }
    await this.#save(lease, { rehearsed, leftOut });
    this.#note('issued', { names: issued.names, until: new Date(serving.endsAt).toISOString() });
    return undefined;
  }

  async #fail(lease: Lease, { kind, reason, retryAfterMs, refusedNames }: DescribedFailure): Promise<void> {
    const { serving, now } = this.#options;
    const failure = noteFailure({
      kind,
      reason,
      retryAfterMs,
      now: now(),
      earlier: this.#progress.failure,
      notAfter: serving.facts?.notAfter,
      random: this.#random(),
    });
    const leftOut = leaveOut(this.#progress, failure, refusedNames);
    const isOver = kind === 'validation' || kind === 'refused' || failure.count >= resumedMax;
    await this.#save(lease, {
      ...this.#progress,
      failure,
      leftOut,
      ...(isOver ? { order: undefined } : {}),
      // The next attempt is at the staging server.
      ...(kind === 'validation' ? { rehearsed: undefined } : {}),
    });
    this.#note(kind, describe(failure));
  }

  #toParts(lease: Lease): ObtainParts {
    const { challengeTypes } = this.#options;
    const failures = this.#progress.failure?.kind === 'validation' ? this.#progress.failure.count : 0;
    const [first, ...others] = challengeTypes;
    // After a failure the other way is tried: one port may be closed.
    const turned = first !== undefined && failures % 2 === 1 ? [...others, first] : challengeTypes;
    return {
      ...this.#options,
      lease,
      challengeTypes: turned,
      present: (challenges) => this.#present(lease, challenges),
    };
  }

  async #present(lease: Lease, challenges: readonly PresentedChallenge[]): Promise<void> {
    const { records, board, now, learnMs, wait } = this.#options;
    await records.writeChallenges(lease, { challenges, until: now() + challengesMs });
    await board.look();
    if (learnMs > 0 && challenges.some(({ type }) => type === 'tls-alpn-01')) await wait(learnMs);
  }

  async #withdraw(lease: Lease): Promise<void> {
    const { records, board } = this.#options;
    if (!(await records.readChallenges())?.challenges.length) return;
    try {
      await records.writeChallenges(lease, { challenges: [], until: 0 });
    } catch (error) {
      // The next holder replaces them; besides, they end by themselves.
      if (!(error instanceof LeaseLost)) throw error;
    }
    await board.look();
  }

  /** Asks when to replace the certificate, as often as the server wants to be asked. */
  async #takeAdvice(lease: Lease, { chainPem, directoryUrl }: StoredCertificate): Promise<void> {
    const { now } = this.#options;
    const certificateId = toCertificateId(readLeaf(chainPem).raw);
    if (certificateId === undefined) return;
    const { advice } = this.#progress;
    const known = advice?.certificateId === certificateId ? advice : undefined;
    const dueAt = known && known.askedAt + known.askAgainAfterMs;
    if (known && now() < (dueAt ?? 0) && now() > known.askedAt - clockToleranceMs) return;
    const asked = await this.#ask(directoryUrl, certificateId, known);
    await this.#save(lease, { ...this.#progress, advice: asked });
  }

  async #ask(
    directoryUrl: string,
    certificateId: string,
    known: StoredAdvice | undefined,
  ): Promise<StoredAdvice> {
    const askedAt = this.#options.now();
    const unknown = { ...known, certificateId, askedAt, askAgainAfterMs: adviceFailedMs };
    try {
      const client = createClient(this.#options, directoryUrl);
      const { renewalInfo } = await client.directory();
      if (renewalInfo === undefined) return { ...unknown, renewAt: undefined };
      const window = readRenewal(await client.get(toRenewalUrl(renewalInfo, certificateId)));
      const { askAgainAfterMs, explanationUrl } = window;
      // The instant chosen in a window stays, or each answer would move it.
      const isWithin =
        known?.renewAt !== undefined && known.renewAt >= window.from && known.renewAt <= window.until;
      const renewAt = isWithin ? known.renewAt : chooseRenewal(window, this.#random());
      return { certificateId, renewAt, explanationUrl, askedAt, askAgainAfterMs };
    } catch (error) {
      const failure = describeFailure(error);
      if (!failure) throw error;
      this.#options.log.info('certificate.no_advice', { reason: failure.reason });
      return unknown;
    }
  }

  async #save(lease: Lease, progress: Progress): Promise<void> {
    await this.#options.records.writeProgress(lease, progress);
    this.#progress = progress;
  }

  #note(outcome: OrderOutcome, fields: Readonly<Record<string, unknown>>): void {
    const { log, onOrder } = this.#options;
    onOrder(outcome);
    if (outcome === 'issued' || outcome === 'rehearsed') log.info(`certificate.${outcome}`, fields);
    else log.warn('certificate.not_issued', { kind: outcome, ...fields });
  }
}

function describe({ reason, count, waitMs }: StoredFailure): Readonly<Record<string, unknown>> {
  return { reason, failures: count, next_try_seconds: Math.round(waitMs / 1000) };
}
