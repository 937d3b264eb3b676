// The dialect of Guerrilla Mail's API (https://www.guerrillamail.com/GuerrillaMailAPI.html): a single path whose
// parameter `f` names a function.

import { type Answer, stringifyWellFormed } from '#http-parts/answer';
import { writeJson } from '#http-parts/slices';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import { type CompatCall, type CompatContext, type Dialect, publicRoute } from '../dialect.ts';
import { errorFields } from '../error-fields.ts';
import { addressFunctions } from './address-functions.ts';
import type { AjaxFunction, AjaxFunctions } from './ajax-call.ts';
import { AjaxParameters } from './ajax-parameters.ts';
import { GuerrillaSession } from './guerrilla-session.ts';
import { mailFunctions } from './mail-functions.ts';
import { cookieFields } from './session-cookie.ts';

const path = '/ajax.php';

/** By the name that `f` gives. */
export const ajaxFunctions: AjaxFunctions = { ...addressFunctions, ...mailFunctions };

const summary = 'a function';

export const guerrilla: Dialect = {
  name: 'guerrilla',
  owns: (asked) => asked === path,
  toError,
  routes: [
    {
      access: 'public',
      method: 'GET',
      path,
      summary,
      changes: (call) => findFunction(new AjaxParameters(call))?.changes === true,
      run: callFunction,
    },
    publicRoute(`POST ${path}`, summary, callFunction),
  ],
};

function findFunction(parameters: AjaxParameters): AjaxFunction | undefined {
  const name = parameters.get('f') ?? '';
  return Object.hasOwn(ajaxFunctions, name) ? ajaxFunctions[name] : undefined;
}

async function callFunction(context: CompatContext, call: CompatCall): Promise<Answer> {
  const parameters = new AjaxParameters(call);
  const asked = findFunction(parameters);
  if (!asked) throw unknownFunction(parameters.get('f'));
  const session = new GuerrillaSession(context, call, parameters);
  const ajaxCall = { ...context, session, parameters, call };
  const content =
    asked.access === 'public'
      ? await asked.run(ajaxCall)
      : await asked.run({ ...ajaxCall, live: await session.require(asked.access) });
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
