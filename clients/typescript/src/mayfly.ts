// The entry point: a client of one service, which creates inboxes.

import { Capture, type SmtpLogin } from './capture.ts';
import { MayflyError } from './errors.ts';
import { Inbox, type InboxParts } from './inbox.ts';
import type { Domain } from './models.ts';
import { Siblings } from './siblings.ts';
import { toDate, toModel } from './to-model.ts';
import { type Parameters, Transport } from './transport.ts';

export interface MayflyOptions {
  /** URL of the service with its base path; by default MAYFLY_URL, else http://127.0.0.1:8080. */
  readonly url?: string;
  /** MAYFLY_API_KEY by default; required where the operator has created keys. */
  readonly apiKey?: string;
  /** Default time-out of waits in milliseconds; 30,000 by default. */
  readonly timeout?: number;
  /**
   * Milliseconds for which a request is retried while the service does not answer or limits the rate; 30,000 by
   * default.
   */
  readonly patience?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch;
}

export interface CreateInboxOptions {
  /** Local part; random by default. */
  readonly prefix?: string;
  /** The form of a random local part: words that can be spoken, the default, or characters without a pattern. */
  readonly style?: 'words' | 'random';
  /** Name or id; by default the service chooses. */
  readonly domain?: string | number;
  /**
   * Creates an alias of one of the operator's Gmail accounts, with dots or with a plus sign. `true` lets the service
   * choose.
   */
  readonly gmail?: boolean | 'dot' | 'plus';
  /** Seconds; by default the service's usual lifetime. */
  readonly lifetime?: number;
}

export interface CreateCaptureOptions {
  readonly domain?: string | number;
  /** Seconds. */
  readonly lifetime?: number;
  /** A full inbox refuses mail or drops the oldest message. */
  readonly onFull?: 'refuse' | 'drop_oldest';
}

const defaultUrl = 'http://127.0.0.1:8080';

export class Mayfly {
  readonly url: string;
  readonly #apiKey: string | undefined;
  readonly #transport: Transport;
  readonly #siblings = new Siblings<Inbox>();

  constructor(options: MayflyOptions = {}) {
    this.url = options.url ?? readEnvironment('MAYFLY_URL') ?? defaultUrl;
    this.#apiKey = options.apiKey ?? readEnvironment('MAYFLY_API_KEY');
    const { fetch: fetchFunction = fetch, timeout = 30_000, patience = 30_000 } = options;
    this.#transport = new Transport(this.url, {
      fetchFunction,
      timeout,
      patience,
      isUrlSet: readEnvironment('MAYFLY_URL') !== undefined,
    });
  }

  /** Creates an inbox. @throws MayflyError, such as address_taken; MayflyUnreachable */
  async createInbox(options: CreateInboxOptions = {}): Promise<Inbox> {
    const { prefix, style, domain, gmail = false, lifetime } = options;
    const isAlias = gmail !== false;
    const answer = await this.#create({
      prefix,
      style,
      lifetime,
      domain_id: await this.#domainId(domain),
      ...(isAlias ? { use_gmail: true } : {}),
      ...(typeof gmail === 'string' ? { alias: gmail } : {}),
    });
    return new Inbox(this.#transport, this.#siblings, toParts(answer));
  }

  /** Creates an inbox for any recipient. @throws MayflyError, MayflyUnreachable */
  async createCapture(options: CreateCaptureOptions = {}): Promise<Capture> {
    const { domain, lifetime, onFull } = options;
    const domainId = await this.#domainId(domain);
    const answer = await this.#create({ capture: true, lifetime, domain_id: domainId, on_full: onFull });
    const { smtp } = toModel(answer) as { smtp: SmtpLogin };
    return new Capture(this.#transport, this.#siblings, { ...toParts(answer), smtp });
  }

  /** Returns the inbox of a token. @throws MayflyError when the token is unknown or the inbox has ended */
  async reopen(token: string): Promise<Inbox> {
    const answer = await this.#transport.json('/session', { token });
    return new Inbox(this.#transport, this.#siblings, toParts({ ...answer, token }));
  }

  /** Returns the domains available for inboxes. */
  async domains(): Promise<readonly Domain[]> {
    return (toModel(await this.#transport.json('/domains')) as { domains: readonly Domain[] }).domains;
  }

  #create(parameters: Parameters): Promise<Record<string, unknown>> {
    const apiKey = this.#apiKey === undefined ? {} : { apiKey: this.#apiKey };
    return this.#transport.json('/create-session', { method: 'POST', parameters, ...apiKey });
  }

  async #domainId(domain: string | number | undefined): Promise<number | undefined> {
    if (typeof domain !== 'string') return domain;
    const name = domain.toLowerCase();
    const found = (await this.domains()).find((each) => each.domain === name);
    if (found) return found.id;
    throw new MayflyError(`The service has no active domain ${JSON.stringify(domain)}.`, {
      status: 404,
      code: 'unknown_domain',
      parameter: 'domain_id',
    });
  }
}

function toParts({ email, token, expires_at: expiresAt }: Record<string, unknown>): InboxParts {
  return { email: String(email), token: String(token), expiresAt: toDate(String(expiresAt)) };
}

/** Returns undefined where there is no environment, as in a browser. */
function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  const value = process?.env?.[name];
  return value === '' ? undefined : value;
}
