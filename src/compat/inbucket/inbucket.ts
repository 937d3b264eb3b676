// The dialect of Inbucket's API v1 (https://github.com/inbucket/inbucket/wiki/REST-API). A mailbox is a session's mail
// for one recipient.

import type { ErrorAnswer } from '../../http/error-answer.ts';
import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { Dialect } from '../dialect.ts';
import { errorFields } from '../error-fields.ts';
import { addMailboxRoutes } from './mailboxes.ts';
import { addMessageRoutes } from './messages.ts';

const roots = ['/api/v1/mailbox', '/api/v1/monitor', '/api/v2/monitor', '/serve'];

export const inbucket: Dialect = {
  name: 'inbucket',
  owns: (path) => roots.some((root) => path === root || path.startsWith(`${root}/`)),
  toError,
  addRoutes: (app, { services }) => {
    addMailboxRoutes(app, services);
    addMessageRoutes(app, services);
  },
};

/** Plain text, as Go writes it; a 404 has no reason. */
function toError(error: MayflyError): ErrorAnswer {
  const { httpStatus: status, publicMessage } = error;
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...errorFields(error) },
    body: status === 404 ? '404 page not found\n' : `${publicMessage}\n`,
  };
}
