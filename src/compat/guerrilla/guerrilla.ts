// The dialect of Guerrilla Mail's API (https://www.guerrillamail.com/GuerrillaMailAPI.html): a single path whose
// parameter `f` names a function.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { type Answer, stringifyWellFormed } from '../../http/answers/answer.ts';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import { writeJson } from '../../http/answers/slices.ts';
import type { CompatApp, CompatCall, CompatContext, Dialect } from '../dialect.ts';
import { errorFields } from '../error-fields.ts';
import { extend, forgetMe, getEmailAddress, setEmailUser } from './address-functions.ts';
import type { AjaxFunction } from './ajax-call.ts';
import { AjaxParameters } from './ajax-parameters.ts';
import { GuerrillaSession } from './guerrilla-session.ts';
import { checkEmail, delEmail, fetchEmail, getEmailList, getOlderList } from './mail-functions.ts';
import { cookieFields } from './session-cookie.ts';

const path = '/ajax.php';

const functions: ReadonlyMap<string, AjaxFunction> = new Map([
  ['get_email_address', getEmailAddress],
  ['set_email_user', setEmailUser],
  ['check_email', checkEmail],
  ['get_email_list', getEmailList],
  ['get_older_list', getOlderList],
  ['fetch_email', fetchEmail],
  ['del_email', delEmail],
  ['forget_me', forgetMe],
  ['extend', extend],
]);

/** Those that change a session. The first one may create one, which takes no credentials. */
const changing: ReadonlySet<string> = new Set(['set_email_user', 'del_email', 'forget_me', 'extend']);

export const guerrilla: Dialect = {
  name: 'guerrilla',
  owns: (asked) => asked === path,
  toError,
  addRoutes,
};

function addRoutes(app: CompatApp, context: CompatContext): void {
  const serve = (call: CompatCall): Promise<Answer> => callFunction(context, call);
  const changes = (call: CompatCall): boolean => changing.has(new AjaxParameters(call).get('f') ?? '');
  app.add({ method: 'GET', path, serve, changes });
  app.add({ method: 'POST', path, serve });
}

async function callFunction(context: CompatContext, call: CompatCall): Promise<Answer> {
  const parameters = new AjaxParameters(call);
  const name = parameters.get('f');
  const run = name === undefined ? undefined : functions.get(name);
  if (!run) throw unknownFunction(name);
  const session = new GuerrillaSession(context, call, parameters);
  const content = await run({ ...context, session, parameters, call });
  const body = typeof content === 'boolean' ? String(content) : await writeJson(content);
  return { body, headers: session.isNew ? cookieFields(call, session.token) : {} };
}

/** `auth.success` is false, and `auth.error_codes` gives the reason. */
function toError(error: MayflyError): ErrorAnswer {
  const { httpStatus: status, publicMessage, code } = error;
  return {
    status,
    headers: errorFields(error),
    body: stringifyWellFormed({
      error: publicMessage,
      auth: { success: false, error_codes: [code] },
    }),
  };
}

function unknownFunction(name: string | undefined): MayflyError {
  const parameter = { parameter: 'f' };
  if (name === undefined) return new MayflyError('missing_parameter', '`f` names no function.', parameter);
  return new MayflyError('invalid_parameter', '`f` names a function that is not served here.', parameter);
}
