// The functions for addresses: get, set, extend and forget.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { AjaxFunctions } from './ajax-call.ts';
import type { AjaxParameters } from './ajax-parameters.ts';
import { toAddressTime, toAddressView, toRenamedView } from './guerrilla-views.ts';

export const addressFunctions: AjaxFunctions = {
  get_email_address: {
    access: 'public',
    summary: 'creates an address for an hour, or returns the session’s own',
    parameters: [],
    run: async ({ session, call }) => {
      const live = await session.find();
      if (!live && call.isHead) {
        throw new MayflyError('method_not_allowed', 'HEAD changes nothing; use GET or POST.');
      }
      const own = live?.session ?? (await session.create(undefined));
      return toAddressView({ session: own, token: session.token });
    },
  },
  set_email_user: {
    access: 'public',
    // This is how a client returns to an address whose session it lost.
    summary:
      'gives the session this name, ignoring `@` and anything after it. Creates a session if there is none, and ' +
      'restarts the hour',
    parameters: ['email_user'],
    changes: true,
    run: async ({ session, parameters }) => {
      const prefix = readPrefix(parameters);
      const live = await session.find();
      if (!live) return toRenamedView({ session: await session.create(prefix), token: session.token });
      const { address } = live.session;
      if (!address.startsWith(`${prefix.toLowerCase()}@`)) await session.rename(live, prefix);
      return toRenamedView({ session: await session.extend(live), token: session.token });
    },
  },
  extend: {
    access: 'session',
    summary: 'an hour from now, within the operator’s limits',
    parameters: [],
    changes: true,
    run: async ({ session, live }) => {
      const extended = await session.extend(live);
      return {
        expired: false,
        email_timestamp: toAddressTime(extended),
        affected: extended.expiresAt > live.session.expiresAt ? 1 : 0,
        sid_token: session.token ?? '',
      };
    },
  },
  forget_me: {
    access: 'own',
    summary: 'ends the session with its mail, regardless of the address given',
    parameters: [],
    changes: true,
    run: async ({ services, access, live: { session } }) => {
      if (await services.endSession(session)) access.recordChanged(session, null);
      return true;
    },
  },
};

/** The name before the `@`; some clients send the whole address. @throws MayflyError missing_parameter */
function readPrefix(parameters: AjaxParameters): string {
  const prefix = parameters.get('email_user')?.split('@', 1)[0] ?? '';
  if (prefix !== '') return prefix;
  throw new MayflyError('missing_parameter', '`email_user` is missing.', { parameter: 'email_user' });
}
