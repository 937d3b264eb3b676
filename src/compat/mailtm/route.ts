// What all routes of the dialect share: their errors in mail.tm's form.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { CompatRoute } from '../dialect.ts';
import { toMailtmError, toViolationAnswer, Violation } from './errors.ts';

/** The route with what it throws answered as the client has asked for its answers. */
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
