// Builds the capture sessions that need no token: the standing one of MAYFLY_COMPAT_DEFAULT, and with `mayfly dev` one
// for each name. Part of the composition root, called by bind-services.ts.

import type { MailpitAuth } from '../config/dev-settings.ts';
import type { Config } from '../config/settings.ts';
import type { SessionKey } from '../domain/session.ts';
import type { Answer } from '../http/answers/answer.ts';
import type { SmtpLogin } from '../service/receiving/authenticate-smtp.ts';
import type { Receiving, Services } from '../service/services.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import { otherMailShownMax } from '../service/addresses/show-session.ts';
import { createStandingCaptures } from '../service/addresses/standing-captures.ts';
import type { LiveStore } from './open-live-store.ts';
import { openStandingTokens } from './standing-tokens.ts';

/** The parts specific to `mayfly dev`. */
export interface DevParts {
  /** The logins accepted at SMTP. If undefined, any name may log in, and has its own capture session. */
  readonly mailpitAuth: MailpitAuth | undefined;
}

export interface StandingParts {
  readonly config: Config;
  readonly store: LiveStore;
  readonly services: Pick<Services, 'createCaptureSession'>;
  readonly dev: DevParts | undefined;
}

export interface Standing {
  /** The session for requests without credentials. */
  readonly defaultSession: () => Promise<LiveSession>;
  /** Returns its key; undefined before the first request for it. */
  readonly defaultKey: () => SessionKey | undefined;
  /** Only for `mayfly dev`. */
  readonly byName: NamedCaptures | undefined;
}

export interface NamedCaptures {
  readonly sessionOf: (name: string) => Promise<LiveSession>;
  /** Resolves with undefined for a wrong password. */
  readonly logIn: (login: SmtpLogin) => Promise<SessionKey | undefined>;
  /** Reports whether it is the shared session. */
  readonly isShared: (key: SessionKey) => boolean;
  /** The answer at `/`: redirects to the page with the standing session open. */
  readonly home: () => Promise<Answer>;
}

/** Returns undefined when there are none. */
export function createStanding({ config, store, services, dev }: StandingParts): Standing | undefined {
  if (config.compat.default === 'off') return undefined;
  const captures = createStandingCaptures({
    mail: store.mail,
    limits: config.session,
    tokens: openStandingTokens(config.general.dataDir),
    createCaptureSession: services.createCaptureSession,
  });
  const defaultSession = (): Promise<LiveSession> => captures.get('');
  const defaultKey = (): SessionKey | undefined => captures.keyOf('');
  return { defaultSession, defaultKey, byName: dev && nameCaptures(captures, dev, config) };
}

function nameCaptures(
  captures: ReturnType<typeof createStandingCaptures>,
  { mailpitAuth }: DevParts,
  { http: { basePath } }: Config,
): NamedCaptures {
  // As in Mailpit, there is a single mailbox in that case.
  const sessionOf = (name: string): Promise<LiveSession> => captures.get(mailpitAuth ? '' : name);
  return {
    sessionOf,
    logIn: async ({ username, password }) => {
      const { accounts } = mailpitAuth ?? {};
      if (accounts && accounts.get(username) !== password) return undefined;
      return (await sessionOf(username)).session.key;
    },
    isShared: (key) => captures.has('', key),
    home: async () => toHome(`${basePath}/#share=${await captures.getToken('')}`),
  };
}

/** Answers with 200, which test containers wait for, and redirects browsers by its content. */
function toHome(url: string): Answer {
  return {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'",
      'cache-control': 'no-store',
    },
    body:
      '<!doctype html><html lang="en"><meta charset="utf-8"><title>Mayfly</title>' +
      `<meta http-equiv="refresh" content="0; url=${url}"><p><a href="${url}">Mayfly</a></p></html>\n`,
  };
}

/**
 * Marks the shared session, which the page opens without asking. Other sessions are shown its newest mail, which a
 * misspelt recipient ends in; everyone can read it anyway.
 */
export function markShared(
  services: Services,
  { isShared }: NamedCaptures,
  defaultSession: Standing['defaultSession'],
): Services {
  return {
    ...services,
    showSession: async (live, share) => {
      const shown = await services.showSession(live, share);
      if (share) return shown;
      if (isShared(live.session.key)) return { ...shown, isStanding: true };
      const { session } = await defaultSession();
      const newest = await services.checkMail(session, { limit: otherMailShownMax });
      return { ...shown, otherMail: newest.filter((mail) => mail.receivedAt >= live.session.createdAt) };
    },
  };
}

/** Delivers mail that belongs to no session to the standing one, whose planned faults apply to its senders. */
export function captureAll(receiving: Receiving, { defaultSession, defaultKey }: Standing): Receiving {
  return {
    ...receiving,
    standingSession: defaultKey,
    resolveRecipient: async (address, context = {}) => {
      const captureSession = context.captureSession ?? (await defaultSession()).session.key;
      return receiving.resolveRecipient(address, { ...context, captureSession });
    },
  };
}
