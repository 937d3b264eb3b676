// The dialect of Mailpit's API v1 (https://mailpit.axllent.org/docs/api-v1/), as its clients use it.

import type { Dialect } from '../dialect.ts';
import { addHealthRoutes } from './health.ts';
import { toMailpitError } from './mailpit-error.ts';

export const mailpit: Dialect = {
  name: 'mailpit',
  owns: () => false,
  toError: toMailpitError,
  addRoutes: (app) => {
    addHealthRoutes(app);
  },
};
