// Addresses for a mail that the operator sends from elsewhere, to see that mail comes in and how: sessions of five
// minutes, whose tokens do not leave this process.

import { randomBytes } from 'node:crypto';

import type { ArrivalFacts } from '#doctor/facts';
import type { DirectoryStore } from '../../store/directory-store.ts';
import type { CreateSessionRequest } from '../addresses/create-session.ts';
import type { CreatedSession } from '../addresses/claim-address.ts';
import type { ListedMessage } from '../mail/check-mail.ts';
import type { FullMessage } from '../mail/read-mail.ts';
import type { LiveSession, OpenSession } from '../session/session-access.ts';
import type { SessionLimits } from '../session/session-limits.ts';
import { OperatorError } from './operator-error.ts';

/** The use cases that probes need, as services.ts binds them. */
export interface ProbeUses {
  readonly limits: Pick<SessionLimits, 'lifetimeMinSeconds' | 'lifetimeMaxSeconds'>;
  readonly createSession: (request: CreateSessionRequest) => Promise<CreatedSession>;
  readonly authenticateToken: (token: string) => Promise<LiveSession>;
  readonly checkMail: (session: OpenSession) => Promise<readonly ListedMessage[]>;
  readonly peekMail: (session: OpenSession, id: number) => Promise<FullMessage>;
}

export interface Probe {
  readonly address: string;
  /** ms since 1970. */
  readonly endsAt: number;
}

export interface ArrivedMail extends ArrivalFacts {
  /** The code that was read in it. */
  readonly code: string | null;
}

export interface ProbeMail {
  /** @throws OperatorError, MayflyError */
  begin(domain: string | undefined): Promise<Probe>;
  /** Resolves with undefined until a mail has come. @throws OperatorError for an address that is no probe's */
  read(address: string): Promise<ArrivedMail | undefined>;
  /** The last mail to a probe, by domain. */
  arrivals(): readonly ArrivalFacts[];
}

const lifetimeSeconds = 300;
/** Begun within five minutes. */
const probesMax = 20;

export function createProbeMail(
  uses: ProbeUses,
  { directory, now }: { readonly directory: DirectoryStore; readonly now: () => number },
): ProbeMail {
  const begun = new Map<string, { readonly token: string; readonly endsAt: number }>();
  const arrived = new Map<string, ArrivalFacts>();
  return {
    async begin(name) {
      const domainId = await findDomainId(directory, name);
      for (const [address, { endsAt }] of begun) {
        if (endsAt <= now()) begun.delete(address);
      }
      if (begun.size >= probesMax) {
        throw new OperatorError('Too many probes are open; try again in five minutes.');
      }
      const { lifetimeMinSeconds: min, lifetimeMaxSeconds: max } = uses.limits;
      const { token, session } = await uses.createSession({
        prefix: `doctor-${randomBytes(5).toString('hex')}`,
        domainId,
        lifetimeSeconds: Math.min(Math.max(lifetimeSeconds, min), max),
      });
      const probe = { address: session.address, endsAt: session.expiresAt };
      begun.set(probe.address, { token, endsAt: probe.endsAt });
      return probe;
    },
    async read(address) {
      const probe = begun.get(address.toLowerCase());
      if (!probe || probe.endsAt <= now()) {
        throw new OperatorError('No probe is open for this address; each lasts five minutes.');
      }
      const { session } = await uses.authenticateToken(probe.token);
      const [listed] = await uses.checkMail(session);
      if (!listed) return undefined;
      const arrival = toArrival(await uses.peekMail(session, listed.id), session);
      arrived.set(arrival.domain, arrival);
      return { ...arrival, code: listed.code };
    },
    arrivals: () => [...arrived.values()],
  };
}

/** @throws OperatorError */
async function findDomainId(directory: DirectoryStore, name: string | undefined): Promise<number> {
  const domains = (await directory.listDomains()).filter(({ isActive }) => isActive);
  const domain = domains.find((one) => name === undefined || one.name === name.toLowerCase());
  if (domain) return domain.id;
  throw new OperatorError(
    name === undefined
      ? 'No domain is active. Add one: mayfly domain add example.org'
      : `There is no active domain ${JSON.stringify(name.slice(0, 80))}.`,
  );
}

function toArrival(
  { listed, meta, authentication }: FullMessage,
  { address }: Pick<OpenSession, 'address'>,
): ArrivalFacts {
  return {
    at: listed.receivedAt,
    domain: address.slice(address.lastIndexOf('@') + 1),
    remoteAddress: meta.source.remoteAddress,
    tls: meta.source.tls,
    authentication: authentication
      ? {
          spf: authentication.spf.result,
          dkim: authentication.dkim.result,
          dmarc: authentication.dmarc.result,
        }
      : undefined,
  };
}
