// The dialect of mail.tm and mail.gw (https://docs.mail.tm), including its event stream.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatApp, CompatRoute, Dialect } from '../dialect.ts';
import { addAccountRoutes } from './accounts.ts';
import { addDomainRoutes } from './domains.ts';
import { toMailtmError, toViolationAnswer, Violation } from './errors.ts';
import { addMercureRoute } from './mercure.ts';
import { addMessageRoutes } from './messages.ts';
import { addSourceRoutes } from './sources.ts';

const paths = /^\/(?:accounts|domains|me|messages|sources|token|\.well-known\/mercure)(?:\/|$)/;

export const mailtm: Dialect = {
  name: 'mailtm',
  owns: (path) => paths.test(path),
  toError: (error, _path, headers) => toMailtmError(error, { headers }),
  addRoutes: (app, context) => {
    const wrapped: CompatApp = {
      add: (route) => {
        app.add(withErrors(route));
      },
    };
    addDomainRoutes(wrapped, context);
    addAccountRoutes(wrapped, context);
    addMessageRoutes(wrapped, context);
    addSourceRoutes(wrapped, context);
    addMercureRoute(wrapped, context);
  },
};

/** Returns the route with its errors formatted as the client requested. */
function withErrors(route: CompatRoute): CompatRoute {
  return {
    ...route,
    serve: async (call) => {
      try {
        return await route.serve(call);
      } catch (error) {
        if (error instanceof Violation) return toViolationAnswer(error, call);
        if (error instanceof MayflyError) return toMailtmError(error, call);
        throw error;
      }
    },
  };
}
