// Settings of the operator's listener: the area `admin` of settings.ts.

import { acceptedHosts, listenHost, portOrOff } from './listen-settings.ts';

export const adminSettings = {
  host: listenHost("Address that the operator's listener listens on. Loopback unless a network guards it."),
  port: portOrOff(
    "Port of the operator's listener, which serves `/admin`, the admin API and `/metrics`; 8081 is usual, 0 takes a " +
      'free one. It takes an admin key to do anything there (`mayfly key add NAME --admin`).',
  ),
  hosts: acceptedHosts(
    'Hosts accepted in `Host` there, `*` for any. Empty: on loopback IP literals and localhost names; else any.',
  ),
};
