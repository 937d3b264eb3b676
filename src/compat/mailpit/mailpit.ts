// The dialect of Mailpit's API v1 (https://mailpit.axllent.org/docs/api-v1/).

import { stringifyWellFormed } from '#http-parts/answer';
import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import type { Dialect } from '../dialect.ts';
import { errorFields, goError } from '../error-fields.ts';
import { chaosRoutes } from './chaos.ts';
import { eventsRoute } from './events.ts';
import { listRoutes } from './message-lists.ts';
import { sendRoute } from './send-message.ts';
import { healthRoutes, infoRoutes } from './service-info.ts';
import { messageRoutes } from './single-message.ts';

export const mailpit: Dialect = {
  name: 'mailpit',
  owns: () => false,
  toError,
  routes: [
    ...healthRoutes,
    ...listRoutes,
    ...messageRoutes,
    ...infoRoutes,
    eventsRoute,
    sendRoute,
    ...chaosRoutes,
  ],
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
