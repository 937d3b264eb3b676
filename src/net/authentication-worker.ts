// Entry of the authentication thread: checks the messages it is given, several at once, since most of their time is
// waiting for the DNS. Started by authenticate-message with this file's built form; may be terminated at any instant.

import { parentPort, workerData } from 'node:worker_threads';

import type {
  AuthenticationAnswer,
  AuthenticationJob,
  AuthenticationWorkerData,
} from './authentication-protocol.ts';
import { checkAuthentication } from './check-authentication.ts';
import { createDnsResolver } from './dns-resolver.ts';

if (parentPort !== null) {
  const port = parentPort;
  const resolver = createDnsResolver(workerData as AuthenticationWorkerData);
  port.on('message', ({ id, request }: AuthenticationJob) => {
    const answer = (text: AuthenticationAnswer): void => {
      port.postMessage(text);
    };
    checkAuthentication(request, resolver).then(
      (authentication) => {
        answer({ id, authentication });
      },
      (error: unknown) => {
        answer({ id, failure: error instanceof Error ? error.message : String(error) });
      },
    );
  });
}
