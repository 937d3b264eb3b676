// The dialect of Guerrilla Mail's API (https://www.guerrillamail.com/GuerrillaMailAPI.html): a single path whose
// parameter `f` names a function.

import { writeJson } from '../../http/slices.ts';
import type { CompatApp, CompatContext, Dialect } from '../dialect.ts';
import { AjaxParameters } from './ajax-parameters.ts';
import { ajaxFunctions } from './ajax-functions.ts';
import { GuerrillaSession } from './guerrilla-session.ts';
import { toGuerrillaError, unknownFunction } from './guerrilla-error.ts';
import { withCookie } from './session-cookie.ts';

const path = '/ajax.php';

export const guerrilla: Dialect = {
  name: 'guerrilla',
  owns: (asked) => asked === path,
  toError: toGuerrillaError,
  addRoutes,
};

function addRoutes(app: CompatApp, context: CompatContext): void {
  for (const method of ['GET', 'POST'] as const) {
    app.add({
      ...{ method, path },
      async serve(call) {
        const parameters = new AjaxParameters(call);
        const name = parameters.get('f');
        const run = name === undefined ? undefined : ajaxFunctions.get(name);
        if (!run) throw unknownFunction(name);
        const session = new GuerrillaSession(context, call, parameters);
        const content = await run({ ...context, session, parameters, isHead: call.isHead });
        return withCookie(
          typeof content === 'boolean' ? String(content) : await writeJson(content),
          session.token,
        );
      },
    });
  }
}
