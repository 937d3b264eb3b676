// Calls of the service that quickstart has just started, on its socket in the data folder.

import { randomInt } from 'node:crypto';

import { dataDir } from './plan-files.ts';
import { sendMail } from './send-mail.ts';
import { RefusedCall, SetupError } from './setup-error.ts';
import type { Given } from '../../command-line/src/command.ts';
import { findExchanges } from './authoritative.ts';
import { pause } from './pause.ts';

const startMs = 30_000;
const certificateMs = 180_000;
const mailMs = 30_000;
const askEveryMs = 250;

/**
 * Calls a command of the service on a data folder, by its path; resolves with undefined when none runs there.
 * @throws RefusedCall
 */
export type CallService = (dataDir: string, path: string, given: Given) => Promise<object | undefined>;

export class ServiceCalls {
  readonly #callService: CallService;
  readonly #signal: AbortSignal;

  constructor(callService: CallService, signal: AbortSignal) {
    this.#callService = callService;
    this.#signal = signal;
  }

  /** @throws RefusedCall, SetupError when no service answers */
  async call<A>(path: string, given: Given = {}): Promise<A> {
    const answer = await this.#callService(dataDir, path, given);
    if (answer) return answer as A;
    throw new SetupError('The service does not run: `journalctl -u mayfly` says why');
  }

  async #isReady(): Promise<boolean> {
    const answer = await this.#callService(dataDir, '/admin/status', {}).catch(orClosed);
    return (answer as { ready?: unknown } | undefined)?.ready === true;
  }

  untilReady(): Promise<true> {
    return this.#until(startMs, 'The service does not start: `journalctl -u mayfly` says why', async () =>
      (await this.#isReady()) ? true : undefined,
    );
  }

  async hasDomain(domain: string): Promise<boolean> {
    if (!(await this.#isReady())) return false;
    const { domains } = await this.call<{ domains: readonly { domain: string; active: boolean }[] }>(
      '/admin/domains',
    );
    return domains.some((one) => one.domain === domain && one.active);
  }

  /** @throws SetupError with the reason of the last failed attempt */
  async untilCertified(names: readonly string[]): Promise<void> {
    const read = (): Promise<CertificateAnswer> => this.call('/admin/certificate');
    const isThere = (one: CertificateAnswer): boolean =>
      one.source === 'acme' && names.every((name) => one.names.includes(name));
    const first = await read();
    if (isThere(first)) return;
    // An attempt that failed before, as without records, would be repeated only after a while.
    const before = first.renewal?.failure ?? null;
    if (before) await this.call('/admin/renew-certificate');
    const reason = { text: 'no answer of the certificate authority' };
    await this.#until(
      certificateMs,
      'There is no certificate: `mayfly certificate show` says why',
      async () => {
        const now = await read();
        const failure = now.renewal?.failure ?? null;
        if (failure && failure.at !== before?.at) reason.text = failure.reason;
        return isThere(now) ? true : undefined;
      },
    ).catch((error: unknown) => {
      this.#signal.throwIfAborted();
      throw new SetupError(`There is no certificate: ${reason.text}`, { cause: error });
    });
  }

  /** Sends a code through the public MX and reads it. @throws SetupError, SendFailed */
  async mailItself({ domain, host }: { domain: string; host: string }): Promise<void> {
    const { address } = await this.call<{ address: string }>('/admin/begin-probe', { name: domain });
    const [exchange] = await findExchanges(domain);
    if (exchange === undefined) throw new SetupError(`MX of ${domain} leads to no address`);
    const code = String(randomInt(100_000, 1_000_000));
    const header = `From: quickstart@${domain}\r\nTo: ${address}\r\nSubject: Your verification code\r\n`;
    const field = `Date: ${new Date().toUTCString().replace('GMT', '+0000')}\r\nMessage-ID: <${code}@${host}>\r\n`;
    const message = `${header}${field}\r\nYour verification code is ${code}.\r\n`;
    await sendMail({ address: exchange, name: host, to: address, message });
    await this.#until(mailMs, 'The mail was taken, and its code was not read', async () => {
      const { mail } = await this.call<{ mail: { code: string | null } | null }>('/admin/read-probe', {
        address,
      });
      return mail?.code === code ? true : undefined;
    });
  }

  /** Returns the link; undefined when an administrator has a key already. */
  async linkFirstAdministrator(): Promise<string | undefined> {
    const { keys } = await this.call<KeyAnswer>('/admin/keys');
    if (keys.some(({ admin, revoked_at: revokedAt }) => admin && revokedAt === null)) return undefined;
    return (await this.call<{ url: string }>('/admin/make-link')).url;
  }

  /** Asks until there is a value. @throws SetupError after the time, or when it is interrupted */
  async #until<T>(ms: number, late: string, ask: () => Promise<T | undefined>): Promise<T> {
    const endsAt = performance.now() + ms;
    for (; performance.now() < endsAt; await pause(askEveryMs, this.#signal)) {
      this.#signal.throwIfAborted();
      const value = await ask();
      if (value !== undefined) return value;
    }
    throw new SetupError(late);
  }
}

/** The one that ran before closes its socket while it ends. */
function orClosed(error: unknown): undefined {
  if (!(error instanceof RefusedCall)) throw error;
}

interface CertificateAnswer {
  readonly source: string;
  readonly names: readonly string[];
  readonly renewal: { readonly failure: { readonly at: string; readonly reason: string } | null } | null;
}

interface KeyAnswer {
  readonly keys: readonly { readonly admin: boolean; readonly revoked_at: string | null }[];
}
