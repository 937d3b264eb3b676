// A keeper of a certificate over records in memory and a fake authority, on a clock that the test moves.

import { randomBytes } from 'node:crypto';

import { CertificateKeeper, type KeeperOptions } from '#certificates/certificate-keeper';
import { CertificateRecords } from '#certificates/certificate-records';
import { ChallengeBoard } from '#certificates/challenge-board';
import { ServingCertificate } from '#certificates/serving-certificate';
import { createSelfSigned } from '#certificates/self-signed';
import { createServingContext, type TlsCertificate } from '#certificates/tls-certificate';
import type { Lease } from '../../../src/store/lease-store.ts';
import type { RecordStore } from '../../../src/store/record-store.ts';
import { FakeAuthority, type FakeAuthorityOptions } from './fake-authority.ts';

export const minuteMs = 60_000;
export const hourMs = 60 * minuteMs;
export const dayMs = 24 * hourMs;

class MemoryRecords implements RecordStore {
  readonly rows = new Map<string, Uint8Array>();
  /** The holder whose lease is good. */
  holder = 'a';

  readRecord(name: string): Promise<Uint8Array | undefined> {
    return Promise.resolve(this.rows.get(name));
  }

  writeRecord(name: string, sealed: Uint8Array): Promise<void> {
    this.rows.set(name, sealed);
    return Promise.resolve();
  }

  writeRecordUnder({ holder }: Lease, name: string, sealed: Uint8Array): Promise<boolean> {
    if (holder !== this.holder) return Promise.resolve(false);
    this.rows.set(name, sealed);
    return Promise.resolve(true);
  }
}

export interface LoggedLine {
  readonly event: string;
  readonly fields: Record<string, unknown>;
}

export interface KeptOptions extends Partial<KeeperOptions> {
  readonly names?: readonly string[];
  readonly profile?: string;
  readonly authority?: Partial<FakeAuthorityOptions>;
  /** Whether there is a staging server. */
  readonly hasStaging?: boolean;
}

export function keepCertificate(options: KeptOptions = {}) {
  const clock = { now: Date.parse('2026-11-01T00:00:00Z') };
  const now = (): number => clock.now;
  const wanted = { names: options.names ?? ['mail.example.org', 'mx.example.org'], profile: options.profile };
  const store = new MemoryRecords();
  const serverKey = randomBytes(32);
  const lines: LoggedLine[] = [];
  const unreadable: string[] = [];
  const log = {
    debug: () => undefined,
    info: (event: string, fields = {}) => void lines.push({ event, fields }),
    warn: (event: string, fields = {}) => void lines.push({ event, fields }),
    error: (event: string, fields = {}) => void lines.push({ event, fields }),
  };
  const validate: FakeAuthorityOptions['validate'] = (_type, token) => nodes[0]!.board.answerHttp(token);
  const authority = new FakeAuthority({ now, validate, ...options.authority });
  const staging = new FakeAuthority({ now, validate, url: 'https://staging.test', ...options.authority });

  /** Another node on the same store. */
  function addNode(holder: string) {
    const records = new CertificateRecords(store, serverKey, (name) => unreadable.push(name));
    const board = new ChallengeBoard({ records, now });
    const serving = new ServingCertificate(createUntrusted());
    const keeper = new CertificateKeeper({
      onOrder: () => undefined,
      records,
      serving,
      board,
      log,
      now,
      userAgent: 'Mayfly/test',
      email: '',
      transport: (request) =>
        (request.url.startsWith('https://staging.test') ? staging : authority).transport(request),
      externalAccount: undefined,
      challengeTypes: ['http-01'],
      wait: (ms) => {
        clock.now += ms;
        return Promise.resolve();
      },
      lease: () => (store.holder === holder ? { name: 'certificate', holder, epoch: 1 } : undefined),
      wanted: () => Promise.resolve({ directoryUrl: authority.directoryUrl, ...wanted }),
      stagingUrl: options.hasStaging === true ? staging.directoryUrl : undefined,
      learnMs: 0,
      ...options,
    });
    const node = { records, board, serving, keeper };
    nodes.push(node);
    return node;
  }

  const nodes: { board: ChallengeBoard }[] = [];
  const first = addNode('a');
  return { ...first, clock, wanted, store, lines, unreadable, authority, staging, addNode };
}

function createUntrusted(): TlsCertificate {
  const from = new Date('2026-01-01T00:00:00Z');
  const made = createSelfSigned({
    hostname: 'mx.example.org',
    from,
    until: new Date('2040-01-01T00:00:00Z'),
  });
  const context = createServingContext({ cert: made.certificatePem, key: made.keyPem });
  return { current: () => context, endsAt: Infinity, isTrusted: false, chainPem: made.certificatePem };
}
