// The functions for addresses: get, set, extend and forget. Called by guerrilla.ts.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { AjaxCall } from './ajax-call.ts';
import type { AjaxParameters } from './ajax-parameters.ts';
import { toAddressTime, toAddressView, toRenamedView } from './guerrilla-views.ts';

export async function getEmailAddress({ session, call }: AjaxCall): Promise<object | boolean> {
  const live = await session.find();
  if (!live && call.isHead) {
    throw new MayflyError('method_not_allowed', 'HEAD changes nothing; use GET or POST.');
  }
  const own = live?.session ?? (await session.create(undefined));
  return toAddressView({ session: own, token: session.token });
}

/** Makes a session if there is none: this is how a client returns to an address whose session it lost. */
export async function setEmailUser({ session, parameters }: AjaxCall): Promise<object | boolean> {
  const prefix = readPrefix(parameters);
  const live = await session.find();
  if (!live) return toRenamedView({ session: await session.create(prefix), token: session.token });
  const { address } = live.session;
  if (!address.startsWith(`${prefix.toLowerCase()}@`)) await session.rename(live, prefix);
  // A new name restarts the hour.
  return toRenamedView({ session: await session.extend(live), token: session.token });
}

/** The name before the `@`; some clients send the whole address. @throws MayflyError missing_parameter */
function readPrefix(parameters: AjaxParameters): string {
  const prefix = parameters.get('email_user')?.split('@', 1)[0] ?? '';
  if (prefix !== '') return prefix;
  throw new MayflyError('missing_parameter', '`email_user` is missing.', { parameter: 'email_user' });
}

export async function extend({ session }: AjaxCall): Promise<object | boolean> {
  const live = await session.require();
  const extended = await session.extend(live);
  return {
    expired: false,
    email_timestamp: toAddressTime(extended),
    affected: extended.expiresAt > live.session.expiresAt ? 1 : 0,
    sid_token: session.token ?? '',
  };
}

/** Always forgets the session's own address with its mail, whichever address is named. */
export async function forgetMe({ services, access, session }: AjaxCall): Promise<object | boolean> {
  const live = await session.requireOwn();
  if (await services.endSession(live.session)) access.noteChanged(live.session, null);
  return true;
}
