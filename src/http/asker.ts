// Tells a waiting operation that nobody waits for its answer any more. Used by add-routes.ts.

import type { ServerResponse } from 'node:http';

import type { Asker } from '../service/wait-for.ts';

export function createAsker(response: ServerResponse): Asker {
  return {
    onGone(listener) {
      if (response.destroyed) {
        listener();
        return () => undefined;
      }
      response.once('close', listener);
      return () => response.off('close', listener);
    },
  };
}
