// The way in: one service, which lends inboxes.

import { Capture, type SmtpLogin } from './capture.ts';
import { MayflyError } from './errors.ts';
import { Inbox, type InboxParts } from './inbox.ts';
import type { Domain } from './models.ts';
import { toDate, toModel } from './to-model.ts';
import { type Parameters, Transport } from './transport.ts';

export interface MayflyOptions {
  /** Of the service, with its base path; MAYFLY_URL when absent, else http://127.0.0.1:8080. */
  readonly url?: string;
  /** MAYFLY_API_KEY when absent; needed where the operator has made keys. */
  readonly apiKey?: string;
  /** Ms that a wait takes unless it is told otherwise; 30,000 when absent. */
  readonly timeout?: number;
  /** Ms for which a call is tried again that the service does not answer or turns away; 30,000 when absent. */
  readonly patience?: number;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
}

export interface CreateInboxOptions {
  /** Local part; random when absent. */
  readonly prefix?: string;
  /** Name or id; the service chooses when absent. */
  readonly domain?: string | number;
  /** An alias of one of the operator's Gmail accounts: with dots, or with a plus sign. `true` lets the service choose. */
  readonly gmail?: boolean | 'dot' | 'plus';
  /** Seconds; the service's usual one when absent. */
  readonly lifetime?: number;
}

export interface CreateCaptureOptions {
  readonly domain?: string | number;
  /** Seconds. */
  readonly lifetime?: number;
  /** What becomes of mail when the inbox is full: it is refused, or the oldest goes. */
  readonly onFull?: 'refuse' | 'drop_oldest';
}

const defaultUrl = 'http://127.0.0.1:8080';

export class Mayfly {
  readonly url: string;
  readonly #apiKey: string | undefined;
  readonly #transport: Transport;

  constructor(options: MayflyOptions = {}) {
    this.url = options.url ?? readEnvironment('MAYFLY_URL') ?? defaultUrl;
    this.#apiKey = options.apiKey ?? readEnvironment('MAYFLY_API_KEY');
    const { fetch: fetchFunction = fetch, timeout = 30_000, patience = 30_000 } = options;
    this.#transport = new Transport(this.url, { fetchFunction, timeout, patience });
  }

  /** @throws MayflyError, such as address_taken; MayflyUnreachable */
  async createInbox(options: CreateInboxOptions = {}): Promise<Inbox> {
    const { prefix, domain, gmail = false, lifetime } = options;
    const isAlias = gmail !== false;
    const answer = await this.#create({
      prefix,
      lifetime,
      domain_id: await this.#domainId(domain),
      ...(isAlias ? { use_gmail: true } : {}),
      ...(typeof gmail === 'string' ? { alias: gmail } : {}),
    });
    return new Inbox(this.#transport, toParts(answer));
  }

  /** Returns an inbox for any recipient. @throws MayflyError, MayflyUnreachable */
  async createCapture(options: CreateCaptureOptions = {}): Promise<Capture> {
    const { domain, lifetime, onFull } = options;
    const domainId = await this.#domainId(domain);
    const answer = await this.#create({ capture: true, lifetime, domain_id: domainId, on_full: onFull });
    const { smtp } = toModel(answer) as { smtp: SmtpLogin };
    return new Capture(this.#transport, { ...toParts(answer), smtp });
  }

  /** Returns the inbox that a token opens. @throws MayflyError when the token is unknown or the inbox has ended */
  async reopen(token: string): Promise<Inbox> {
    const answer = await this.#transport.json('/session', { token });
    return new Inbox(this.#transport, toParts({ ...answer, token }));
  }

  /** Returns the domains that inboxes can be on. */
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

/** Undefined where there is none, as in a browser. */
function readEnvironment(name: string): string | undefined {
  const { process } = globalThis as { process?: { env?: Readonly<Record<string, string | undefined>> } };
  const value = process?.env?.[name];
  return value === '' ? undefined : value;
}
