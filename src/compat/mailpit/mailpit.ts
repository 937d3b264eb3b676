// The dialect of Mailpit's API v1 (https://mailpit.axllent.org/docs/api-v1/).

import type { MayflyError } from '../../domain/mayfly-error.ts';
import { stringifyWellFormed } from '../../http/answers/answer.ts';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import type { Dialect } from '../dialect.ts';
import { errorFields, goError } from '../error-fields.ts';
import { addChaosRoutes } from './chaos.ts';
import { addEventsRoute } from './events.ts';
import { addListRoutes } from './message-lists.ts';
import { addSendRoute } from './send-message.ts';
import { addHealthRoutes, addInfoRoutes } from './service-info.ts';
import { addMessageRoutes } from './single-message.ts';

export const mailpit: Dialect = {
  name: 'mailpit',
  owns: () => false,
  toError,
  addRoutes: (app, context) => {
    addHealthRoutes(app, context);
    addListRoutes(app, context);
    addMessageRoutes(app, context);
    addInfoRoutes(app, context);
    addEventsRoute(app, context);
    addSendRoute(app, context);
    addChaosRoutes(app, context);
  },
};

/** Plain text, 404 without a reason, and JSON for sending. */
function toError(error: MayflyError, path: string): ErrorAnswer {
  if (path !== '/api/v1/send') return goError(error);
  return {
    status: error.httpStatus,
    headers: { 'content-type': 'application/json', ...errorFields(error) },
    body: stringifyWellFormed({ Error: error.publicMessage }),
  };
}
