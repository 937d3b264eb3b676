// Creates a capture session on a label of a domain: one session for every address under the label, and for the
// connections that authenticate as it. Called by create-session.

import { randomBytes } from 'node:crypto';

import { type OnFull, randomLabel, toCaptureAddress } from '../../domain/addresses/capture.ts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { MailStore } from '../../store/mail-store.ts';
import { chooseDomains } from './choose-address.ts';
import { claimAddress, type CreatedSession } from './claim-address.ts';
import { expectMail, type ReadThreads } from '../session/expect-reads.ts';
import { parseLifetimeMs } from '../session/lifetime.ts';
import type { SessionLimits } from '../session/session-limits.ts';

export interface CaptureSessionDeps extends ReadThreads {
  readonly mail: MailStore;
  readonly directory: DirectoryStore;
  readonly limits: SessionLimits;
}

export interface CaptureSessionRequest {
  readonly domainId?: number | undefined;
  readonly lifetimeSeconds?: number | undefined;
  /** How a message is handled for which there is no room. */
  readonly onFull?: OnFull | undefined;
}

/** A random label collides once in 2^39 with each taken one; several in a row are a bug. */
const tries = 5;

/** @throws MayflyError invalid_parameter, unknown_domain, no_domain_available */
export async function createCaptureSession(
  deps: CaptureSessionDeps,
  { domainId, lifetimeSeconds, onFull }: CaptureSessionRequest,
): Promise<CreatedSession> {
  const lifetimeMs = parseLifetimeMs(deps.limits, lifetimeSeconds);
  const dropsOldest = onFull === 'drop_oldest';
  const domains = await chooseDomains(deps.directory, domainId);
  const names = new Set((await deps.directory.listDomains()).map(({ name }) => name));
  for (let attempt = 0; attempt < tries; attempt++) {
    for (const { name, quarantineMs } of domains) {
      const label = randomLabel(randomBytes);
      // One of the operator's domains would take precedence over the label.
      if (names.has(`${label}.${name}`)) continue;
      const address = toCaptureAddress(label, name);
      const created = await claimAddress(deps, {
        address,
        addressKey: address,
        lifetimeMs,
        quarantineMs,
        dropsOldest,
      });
      if (!created) continue;
      expectMail(deps, created.session);
      return created;
    }
  }
  throw new Error('Every random label was taken.');
}
