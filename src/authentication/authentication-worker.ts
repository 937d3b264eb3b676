// Entry of the authentication thread. Checks several messages at once, since most of the time goes into waiting for
// the DNS. Started by authenticate-message in its built form; may be terminated at any instant.

import { parentPort, workerData } from 'node:worker_threads';

import type { Authentication } from '#mail-receiver/authentication';
import { type AuthenticationRequest, checkAuthentication } from '#mail-receiver/check-authentication';
import { createDnsResolver } from '#mail-receiver/dns-resolver';
import { serveRequests } from '#threads/serve-requests';
import { findOwnThread, openThreadClock, type ThreadClock } from '#threads/thread-clock';
import type { AuthenticationWorkerData } from './authentication-protocol.ts';

if (parentPort !== null) {
  const openClock = (): ThreadClock => openThreadClock(findOwnThread());
  const resolver = createDnsResolver(workerData as AuthenticationWorkerData);
  serveRequests<AuthenticationRequest, Authentication>(parentPort, (request) =>
    checkAuthentication(request, { resolver, openClock }),
  );
}
