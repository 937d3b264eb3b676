// Entry of the authentication thread. Checks several messages at once, since most of the time goes into waiting for
// the DNS. Started by authenticate-message in its built form; may be terminated at any instant.

import { parentPort, workerData } from 'node:worker_threads';

import type { Authentication } from '../../mail-receiver/src/authentication.ts';
import {
  type AuthenticationRequest,
  checkAuthentication,
} from '../../mail-receiver/src/check-authentication.ts';
import { createDnsResolver } from '../../mail-receiver/src/dns-resolver.ts';
import { serveRequests } from '../../threads/src/serve-requests.ts';
import { findOwnThread, openThreadClock, type ThreadClock } from '../../threads/src/thread-clock.ts';
import type { AuthenticationWorkerData } from './authentication-protocol.ts';

if (parentPort !== null) {
  const openClock = (): ThreadClock => openThreadClock(findOwnThread());
  const resolver = createDnsResolver(workerData as AuthenticationWorkerData);
  serveRequests<AuthenticationRequest, Authentication>(parentPort, (request) =>
    checkAuthentication(request, { resolver, openClock }),
  );
}
