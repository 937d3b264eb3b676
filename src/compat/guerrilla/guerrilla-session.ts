// Finds the session of a call by `sid_token`, the cookie or the credentials in the header, and makes one.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Session } from '../../domain/session.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import type { CompatCall, CompatContext } from '../dialect.ts';
import { readCredentials } from '../credentials.ts';
import type { AjaxParameters } from './ajax-parameters.ts';
import { addressSeconds } from './guerrilla-views.ts';
import { readCookie } from './session-cookie.ts';

export class GuerrillaSession {
  readonly #context: CompatContext;
  readonly #call: CompatCall;
  readonly #parameters: AjaxParameters;
  readonly #cookie: string | undefined;
  #token: string | undefined;
  #isNew = false;

  constructor(context: CompatContext, call: CompatCall, parameters: AjaxParameters) {
    this.#context = context;
    this.#call = call;
    this.#parameters = parameters;
    const given = parameters.get('sid_token');
    this.#cookie = given === undefined ? readCookie(call) : undefined;
    this.#token = given ?? this.#cookie ?? readCredentials(call.headers.authorization?.toString());
  }

  /** Whether this call created it. */
  get isNew(): boolean {
    return this.#isNew;
  }

  /** Repeated in the answer as `sid_token`; undefined for the listener's default session. */
  get token(): string | undefined {
    return this.#token;
  }

  /**
   * `own` excludes the listener's default session, which no client may end.
   * @throws MayflyError missing_token, unknown_token, session_expired, rate_limited
   */
  require(access: 'session' | 'own'): Promise<LiveSession> {
    if (access === 'own' && this.#token === undefined) {
      throw new MayflyError('missing_token', 'Give `sid_token`, or the cookie `PHPSESSID`.', {
        parameter: 'sid_token',
      });
    }
    if (this.#cookie !== undefined) return this.#call.authenticate(this.#cookie, 'cookie');
    return this.#call.authenticate(this.#parameters.get('sid_token'));
  }

  /** Returns undefined if there is none or it has ended. @throws MayflyError rate_limited */
  async find(): Promise<LiveSession | undefined> {
    if (this.#token === undefined) return undefined;
    try {
      return await this.require('session');
    } catch (error) {
      const isOver =
        error instanceof MayflyError && (error.code === 'unknown_token' || error.code === 'session_expired');
      if (isOver) return undefined;
      throw error;
    }
  }

  /**
   * Lends an address under the same rules as create-session.
   * @throws MayflyError those of admitCreate and createSession
   */
  async create(prefix: string | undefined): Promise<Session> {
    const { services, access } = this.#context;
    const grant = await access.admitCreate(this.#call.caller, {
      prefix,
      challenge: this.#parameters.get('challenge'),
      wantsGmail: false,
      wantsWebhook: false,
    });
    const { token, session } = await services.createSession({
      prefix,
      lifetimeSeconds: addressSeconds(services.limits),
    });
    grant.recordMade(session);
    this.#token = token;
    this.#isNew = true;
    return session;
  }

  /** @throws MayflyError those of admitRename and renameSession */
  rename({ session }: LiveSession, prefix: string): Promise<Session> {
    const { services, access } = this.#context;
    access.admitRename(this.#call.caller, prefix);
    return services.renameSession(session, { prefix });
  }

  /** Extends the address to an hour from now, within its total lifetime. @throws MayflyError session_expired */
  async extend({ session }: LiveSession): Promise<Session> {
    const { services, access } = this.#context;
    const extended = await services.extendSession(session, addressSeconds(services.limits));
    access.recordChanged(session, extended.expiresAt);
    return extended;
  }
}
