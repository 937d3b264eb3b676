// Limits the live sessions, in total and per creating network. The latter are counted in memory and not stored, for
// privacy, so counting restarts with the process. A session always counts for the network that created it. Used by the
// HTTP edge.

import { networkShares } from '#networks/network-shares';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type Session, toKeyText } from '../../domain/session.ts';
import type { SessionFinder } from '../../store/session-finder.ts';

export interface SessionCaps {
  /** `address`: null for a caller that is not counted. @throws MayflyError too_many_sessions */
  check(address: string | null): Promise<void>;
  /** Call when a session was created from this address. */
  recordMade(address: string | null, session: SessionEnd): void;
  /** Call when its end moves, or it has ended (null). */
  recordChanged(session: Pick<Session, 'key'>, expiresAt: number | null): void;
}

type SessionEnd = Pick<Session, 'key' | 'expiresAt'>;

export interface SessionCapsOptions {
  readonly finder: Pick<SessionFinder, 'countLive' | 'findLive'>;
  /** The limit of one IPv4 address or IPv6 /64; Infinity for none. */
  readonly perAddress: number;
  readonly total: number;
  /** ms since 1970. */
  readonly clock: () => number;
}

/** The most sessions remembered; beyond that each new one replaces another. */
const knownMax = 1_000_000;
const countedEveryMs = 10_000;
const retryWhenFullSeconds = 60;

export function createSessionCaps({ finder, perAddress, total, clock }: SessionCapsOptions): SessionCaps {
  const made = new CreatedSessions(clock);
  let counted = { live: 0, at: -Infinity };

  async function checkTotal(): Promise<void> {
    if (total === Infinity) return;
    if (performance.now() - counted.at > countedEveryMs) {
      counted = { live: await finder.countLive(), at: performance.now() };
    }
    if (counted.live < total) return;
    throw new MayflyError('too_many_sessions', 'The service has reached its limit of sessions.', {
      retryAfterSeconds: retryWhenFullSeconds,
    });
  }

  function checkNetwork(network: string, max: number): void {
    const live = made.endsOf(network);
    if (live.length < max) return;
    throw new MayflyError(
      'too_many_sessions',
      `${live.length} sessions from your network are live; end one.`,
      {
        retryAfterSeconds: Math.max(1, Math.ceil((Math.min(...live) - clock()) / 1000)),
      },
    );
  }

  return {
    async check(address) {
      await checkTotal();
      if (address === null) return;
      for (const { key, max } of networkShares(address, perAddress)) checkNetwork(key, max);
    },
    recordMade(address, session) {
      counted.live += 1;
      if (address === null || perAddress === Infinity) return;
      made.add(session, new Set(networkShares(address, perAddress).map(({ key }) => key)));
    },
    recordChanged({ key }, expiresAt) {
      made.change(toKeyText(key), expiresAt);
    },
  };
}

interface Made {
  endsAt: number;
  readonly networks: ReadonlySet<string>;
}

/** Records which network created which session. */
class CreatedSessions {
  readonly #clock: () => number;
  readonly #sessions = new Map<string, Made>();
  readonly #byNetwork = new Map<string, Set<string>>();
  /** Reused between calls: a new iterator would skip over every deleted slot. */
  #round = this.#sessions.entries();

  constructor(clock: () => number) {
    this.#clock = clock;
  }

  add({ key, expiresAt }: SessionEnd, networks: ReadonlySet<string>): void {
    this.#tidy();
    const name = toKeyText(key);
    this.#sessions.set(name, { endsAt: expiresAt, networks });
    for (const network of networks) {
      const own = this.#byNetwork.get(network);
      if (own) own.add(name);
      else this.#byNetwork.set(network, new Set([name]));
    }
  }

  change(name: string, endsAt: number | null): void {
    const known = this.#sessions.get(name);
    if (!known) return;
    if (endsAt === null) this.#forget(name, known);
    else known.endsAt = endsAt;
  }

  /** Returns when the network's live sessions end. */
  endsOf(network: string): number[] {
    const now = this.#clock();
    const ends: number[] = [];
    for (const name of this.#byNetwork.get(network) ?? []) {
      const known = this.#sessions.get(name);
      if (known && known.endsAt > now) ends.push(known.endsAt);
      else if (known) this.#forget(name, known);
    }
    return ends;
  }

  /** Advances two steps per addition, so that ended sessions do not accumulate and no call takes long. */
  #tidy(): void {
    for (let step = 0; step < 2; step++) {
      let next = this.#round.next();
      if (next.done) {
        this.#round = this.#sessions.entries();
        next = this.#round.next();
      }
      if (next.done) return;
      const [name, known] = next.value;
      if (known.endsAt <= this.#clock() || this.#sessions.size >= knownMax) this.#forget(name, known);
    }
  }

  #forget(name: string, { networks }: Made): void {
    this.#sessions.delete(name);
    for (const network of networks) {
      const own = this.#byNetwork.get(network);
      own?.delete(name);
      if (own?.size === 0) this.#byNetwork.delete(network);
    }
  }
}
