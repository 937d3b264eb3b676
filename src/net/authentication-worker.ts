// Entry of the authentication thread. Checks several messages at once, since most of the time goes into waiting for
// the DNS. Started by authenticate-message in its built form; may be terminated at any instant.

import { parentPort, workerData } from 'node:worker_threads';

import { serveRequests } from '#threads/serve-requests';
import type { Authentication } from '../domain/authentication.ts';
import type { AuthenticationWorkerData } from './authentication-protocol.ts';
import { type AuthenticationRequest, checkAuthentication } from './check-authentication.ts';
import { createDnsResolver } from './dns-resolver.ts';

if (parentPort !== null) {
  const resolver = createDnsResolver(workerData as AuthenticationWorkerData);
  serveRequests<AuthenticationRequest, Authentication>(parentPort, (request) =>
    checkAuthentication(request, resolver),
  );
}
