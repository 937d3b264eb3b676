// Builds the capture sessions that need no token: the standing one of MAYFLY_COMPAT_DEFAULT, and with `mayfly dev` one
// for each name. Part of the composition root.

import type { MailpitAuth } from '#config/dev-settings';
import type { Config } from '#config/settings';
import { createCaptureSession } from '../service/addresses/create-capture-session.ts';
import {
  createStandingCaptures,
  nameCaptures,
  type NamedCaptures,
  type SharedInbox,
} from '../service/addresses/standing-captures.ts';
import type { SessionLimits } from '../service/session/session-limits.ts';
import type { LiveSession } from '../service/session/session-access.ts';
import { openStandingTokens } from '../store/standing-tokens.ts';
import type { Readers } from './create-readers.ts';
import type { LiveStore } from './open-live-store.ts';

/** The parts specific to `mayfly dev`. */
export interface DevParts {
  /** The logins accepted at SMTP. If undefined, any name may log in, and has its own capture session. */
  readonly mailpitAuth: MailpitAuth | undefined;
}

export interface Standing {
  /** The session for requests without credentials. */
  readonly defaultSession: () => Promise<LiveSession>;
  /** Only for `mayfly dev`. */
  readonly dev: DevCaptures | undefined;
}

interface DevCaptures extends NamedCaptures {
  readonly sharedInbox: SharedInbox;
  /** Resolves with the address of the page with the shared inbox open. */
  readonly home: () => Promise<string>;
}

export interface StandingParts {
  readonly config: Config;
  readonly store: LiveStore;
  readonly readers: Readers;
  readonly dev: DevParts | undefined;
}

export function toSessionLimits({ session, limits, http }: Config): SessionLimits {
  return { ...session, ...limits, isKeyRequired: http.apiKeyRequired === 'on' };
}

/** Returns undefined when there are none. */
export function createStanding({ config, store, readers, dev }: StandingParts): Standing | undefined {
  if (config.compat.default === 'off') return undefined;
  const deps = { ...store, ...readers, limits: toSessionLimits(config) };
  const captures = createStandingCaptures({
    mail: store.mail,
    limits: deps.limits,
    tokens: openStandingTokens(config.general.dataDir),
    createCaptureSession: (request) => createCaptureSession(deps, request),
  });
  const defaultSession = (): Promise<LiveSession> => captures.get('');
  const named = nameCaptures(captures, dev?.mailpitAuth);
  return {
    defaultSession,
    dev: dev && {
      ...named,
      sharedInbox: {
        workers: named.workers,
        get: defaultSession,
        key: () => captures.keyOf(''),
        has: (key) => captures.has('', key),
      },
      home: async () => `${config.http.basePath}/#share=${await captures.getToken('')}`,
    },
  };
}
