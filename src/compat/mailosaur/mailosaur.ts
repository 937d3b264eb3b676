// The dialect of Mailosaur (https://mailosaur.com/docs/api): a token gives access to one server, which is its session.

import type { Dialect } from '../dialect.ts';
import { fileRoutes } from './files.ts';
import { toMailosaurError } from './mailosaur-error.ts';
import { messageRoutes } from './messages.ts';
import { serverRoutes } from './servers.ts';
import { unservedRoutes } from './unserved.ts';

const roots = 'messages servers files analysis devices usage screenshots'
  .split(' ')
  .map((name) => `/api/${name}`);

export const mailosaur: Dialect = {
  name: 'mailosaur',
  owns: (path) => roots.some((root) => path === root || path.startsWith(`${root}/`)),
  toError: toMailosaurError,
  routes: [...messageRoutes, ...serverRoutes, ...fileRoutes, ...unservedRoutes],
};
