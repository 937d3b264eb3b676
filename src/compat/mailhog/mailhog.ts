// The dialect of MailHog's API version 2, and the parts of version 1 that its clients use. The list of version 1 and
// the deletion of all messages share their paths with Mailpit, which serves them.

import type { Dialect } from '../dialect.ts';
import { textError } from '../error-fields.ts';
import { listRoutes } from './list-routes.ts';
import { messageRoutes } from './message-routes.ts';

export const mailhog: Dialect = {
  name: 'mailhog',
  owns: (path) => path.startsWith('/api/v2/') || path.startsWith('/api/v1/messages/'),
  // MailHog sends no text with its status codes, and its clients treat anything but JSON as a failure.
  toError: (error) => textError(error),
  routes: [...listRoutes, ...messageRoutes],
};
