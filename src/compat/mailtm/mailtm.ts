// The dialect of mail.tm and mail.gw (https://docs.mail.tm), including its event stream.

import type { Dialect } from '../dialect.ts';
import { accountRoutes } from './accounts.ts';
import { domainRoutes } from './domains.ts';
import { toMailtmError } from './errors.ts';
import { mercureRoute } from './mercure.ts';
import { messageRoutes } from './messages.ts';
import { sourceRoutes } from './sources.ts';

const paths = /^\/(?:accounts|domains|me|messages|sources|token|\.well-known\/mercure)(?:\/|$)/;

export const mailtm: Dialect = {
  name: 'mailtm',
  owns: (path) => paths.test(path),
  toError: (error, _path, headers) => toMailtmError(error, { headers }),
  routes: [...domainRoutes, ...accountRoutes, ...messageRoutes, ...sourceRoutes, mercureRoute],
};
