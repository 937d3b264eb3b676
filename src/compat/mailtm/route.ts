// Wraps routes so that their errors are in mail.tm's format.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatRoute } from '../dialect.ts';
import { toMailtmError, toViolationAnswer, Violation } from './errors.ts';

/** Returns the route with its errors formatted as the client requested. */
export function withErrors(route: CompatRoute): CompatRoute {
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
