// Settings of the listener for other services' dialects: the area `compat` of settings.ts.

import { acceptedHosts, listenHost, portOrOff } from './listen-settings.ts';
import { oneOf } from './setting.ts';

export const compatSettings = {
  host: listenHost("Address that the listener for other services' dialects listens on."),
  port: portOrOff(
    "Port of the listener that speaks other services' dialects ([compat](compat/README.md)), such as Mailpit's; 8025 " +
      'is usual, 0 takes a free one.',
  ),
  hosts: acceptedHosts(
    'Hosts accepted in `Host` there, `*` for any. Empty: on loopback IP literals and localhost names; else any.',
  ),
  default: oneOf(
    ['off', 'on'],
    'off',
    'Whether a request there without credentials is for one standing capture session that everybody shares, as tests ' +
      'on one machine expect. Not together with MAYFLY_HTTP_PUBLIC_URL.',
  ),
};
