// The dialect of Mailpit's API v1 (https://mailpit.axllent.org/docs/api-v1/).

import type { MayflyError } from '../../domain/mayfly-error.ts';
import { stringifyWellFormed } from '../../http/answer.ts';
import type { ErrorAnswer } from '../../http/error-answer.ts';
import type { Dialect } from '../dialect.ts';
import { errorFields } from '../error-fields.ts';
import { addChaosRoutes } from './chaos.ts';
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
    addSendRoute(app, context);
    addChaosRoutes(app, context);
  },
};

/** Plain text, 404 without a reason, and JSON for sending. */
function toError(error: MayflyError, path: string): ErrorAnswer {
  const { httpStatus: status, publicMessage } = error;
  const isJson = path === '/api/v1/send';
  return {
    status,
    headers: {
      'content-type': isJson ? 'application/json' : 'text/plain; charset=utf-8',
      ...errorFields(error),
    },
    body: isJson ? stringifyWellFormed({ Error: publicMessage }) : toText(status, publicMessage),
  };
}

function toText(status: number, message: string): string {
  return status === 404 ? '404 page not found\n' : `${message}\n`;
}
