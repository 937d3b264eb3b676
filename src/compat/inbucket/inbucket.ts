// The dialect of Inbucket's API v1 (https://github.com/inbucket/inbucket/wiki/REST-API). A mailbox is a session's mail
// for one recipient.

import type { Dialect } from '../dialect.ts';
import { goError } from '../error-fields.ts';
import { mailboxRoutes } from './mailboxes.ts';
import { messageRoutes } from './messages.ts';

const roots = ['/api/v1/mailbox', '/api/v1/monitor', '/api/v2/monitor', '/serve'];

export const inbucket: Dialect = {
  name: 'inbucket',
  owns: (path) => roots.some((root) => path === root || path.startsWith(`${root}/`)),
  toError: goError,
  routes: [...mailboxRoutes, ...messageRoutes],
};
