// Looks up DNS records for the authentication of mail. Uses c-ares, so that a slow name server does not block the
// thread pool that files and getaddrinfo share. Each message has a limited number of look-ups and a common time
// limit; answers are cached for a minute.

import { Resolver } from 'node:dns/promises';
import { codeOf } from '../../system-errors/src/error-code.ts';

export type RecordType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'PTR' | 'TXT';

/** As `resolve` of node:dns/promises: strings for A, AAAA, CNAME and PTR, pieces of strings for TXT, objects for MX. */
export type DnsRecords = readonly (string | readonly string[] | { exchange: string; priority: number })[];

export type LookUp = (name: string, type: RecordType) => Promise<DnsRecords>;

/** The look-ups for one message. */
export interface MessageLookUps {
  /**
   * Rejects with `code` ENOTFOUND or ENODATA when the record does not exist, and with ETIMEOUT for everything that
   * may change: no answer, a failing server, too many look-ups, no time left.
   */
  readonly lookUp: LookUp;
  /** Whether a look-up ended with ETIMEOUT. */
  readonly hasFailed: boolean;
  /** Frees the timer; look-ups in progress then fail. */
  end(): void;
}

export interface DnsResolverOptions {
  /** `address`, `address:port` or `[address]:port`; empty for the machine's own. */
  readonly servers: readonly string[];
  /** For all look-ups of a message together, from the first one on. */
  readonly timeoutMs: number;
  /** The most look-ups of one message. SPF alone may need 10, and as many again for each `mx`. */
  readonly lookUpsMax?: number;
  /** The most answers cached. */
  readonly keptMax?: number;
  /** Monotonic, ms. */
  readonly now?: () => number;
}

export interface DnsResolver {
  forMessage(): MessageLookUps;
}

/** Long enough for the sender's next message, short enough that a changed key is soon noticed. */
const keptMs = 60_000;
const defaultLookUpsMax = 64;
const defaultKeptMax = 2000;
const nameMaxLength = 253;
/** Printable ASCII except what zone files and c-ares treat specially; labels of at most 63 octets. */
const dnsName =
  /^(?:[!#$%&'*+,/0-9:<=>?A-Z^_`a-z{|}~-]{1,63}\.)*[!#$%&'*+,/0-9:<=>?A-Z^_`a-z{|}~-]{1,63}\.?$/;

interface Kept {
  readonly until: number;
  readonly answer: Promise<DnsRecords>;
}

export class LookUpError extends Error {
  override readonly name = 'LookUpError';
  readonly code: 'ENOTFOUND' | 'ENODATA' | 'ETIMEOUT';

  constructor(code: LookUpError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export function createDnsResolver(options: DnsResolverOptions): DnsResolver {
  const { servers, timeoutMs, lookUpsMax = defaultLookUpsMax, now = () => performance.now() } = options;
  // Two tries within the time of a message; the second waits twice as long.
  const resolver = new Resolver({ timeout: Math.ceil(timeoutMs / 3), tries: 2 });
  if (servers.length > 0) resolver.setServers(servers);
  const ask = createKeeping(
    (name, type) => (resolver.resolve(name, type) as Promise<DnsRecords>).catch(rethrow),
    options.keptMax ?? defaultKeptMax,
    now,
  );
  return { forMessage: () => createMessageLookUps(ask, { timeoutMs, lookUpsMax }) };
}

/** Reduces the dozen failures of c-ares to the three that callers need. */
function rethrow(error: unknown): never {
  const code = codeOf(error);
  if (code === 'ENOTFOUND' || code === 'ENODATA') throw new LookUpError(code, 'no such record');
  throw new LookUpError('ETIMEOUT', `DNS failure: ${String(code)}`);
}

/** Answers a repeated query from the cache for a minute, or from the query in progress. Failures are not cached. */
function createKeeping(ask: LookUp, keptMax: number, now: () => number): LookUp {
  const kept = new Map<string, Kept>();
  return (name, type) => {
    const key = `${type} ${name.toLowerCase().replace(/\.$/, '')}`;
    const known = kept.get(key);
    if (known && known.until > now()) return known.answer;
    kept.delete(key);
    const entry = { until: now() + keptMs, answer: ask(name, type) };
    entry.answer.catch((error: unknown) => {
      if (codeOf(error) === 'ETIMEOUT' && kept.get(key) === entry) kept.delete(key);
    });
    kept.set(key, entry);
    // In order of insertion, so that the oldest is dropped first.
    for (const [oldest] of kept) {
      if (kept.size <= keptMax) break;
      kept.delete(oldest);
    }
    return entry.answer;
  };
}

function createMessageLookUps(
  ask: LookUp,
  { timeoutMs, lookUpsMax }: { timeoutMs: number; lookUpsMax: number },
): MessageLookUps {
  let count = 0;
  let hasFailed = false;
  let isOver = false;
  const waiting = new Set<() => void>();
  const expire = (): void => {
    isOver = true;
    for (const giveUp of waiting) giveUp();
  };
  let timer: NodeJS.Timeout | undefined;
  const lookUp: LookUp = async (name, type) => {
    if (name.length > nameMaxLength + 1 || !dnsName.test(name)) {
      throw new LookUpError('ENOTFOUND', 'not a name of the DNS');
    }
    // First read the answers that arrived while the thread was busy.
    timer ??= setTimeout(() => setImmediate(expire), timeoutMs);
    count += 1;
    try {
      if (count > lookUpsMax) throw new LookUpError('ETIMEOUT', 'too many DNS look-ups');
      return await new Promise<DnsRecords>((resolve, reject) => {
        const giveUp = (): void => {
          reject(new LookUpError('ETIMEOUT', 'DNS timeout'));
        };
        waiting.add(giveUp);
        ask(name, type)
          .then(resolve, reject)
          .finally(() => waiting.delete(giveUp));
        if (isOver) giveUp();
      });
    } catch (error) {
      hasFailed ||= codeOf(error) === 'ETIMEOUT';
      throw error;
    }
  };
  return {
    lookUp,
    get hasFailed() {
      return hasFailed;
    },
    end: () => {
      clearTimeout(timer);
      expire();
    },
  };
}
