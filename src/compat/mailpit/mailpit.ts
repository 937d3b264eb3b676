// The dialect of Mailpit's API v1 (https://mailpit.axllent.org/docs/api-v1/).

import type { Dialect } from '../dialect.ts';
import { addChaosRoutes } from './chaos.ts';
import { addHealthRoutes } from './health.ts';
import { toMailpitError } from './mailpit-error.ts';
import { addListRoutes } from './message-lists.ts';
import { addSendRoute } from './send-message.ts';
import { addInfoRoutes } from './service-info.ts';
import { addMessageRoutes } from './single-message.ts';

export const mailpit: Dialect = {
  name: 'mailpit',
  owns: () => false,
  toError: toMailpitError,
  addRoutes: (app, context) => {
    addHealthRoutes(app, context);
    addListRoutes(app, context);
    addMessageRoutes(app, context);
    addInfoRoutes(app, context);
    addSendRoute(app, context);
    addChaosRoutes(app, context);
  },
};
