// Builds the checks of mail's origin from the configuration: part of the composition root, called by app.ts.

import type { Config } from '../config/settings.ts';
import { createMessageAuthenticator } from '../net/authenticate-message.ts';
import type { Logger } from '../observe/logger.ts';
import {
  createMessageAuthentications,
  type MessageAuthentications,
  noAuthentications,
} from '../service/message-authentications.ts';
import type { MailStore } from '../store/mail-store.ts';

export function createAuthentications({ dns }: Config, mail: MailStore, log: Logger): MessageAuthentications {
  if (dns.servers.join() === 'none') return noAuthentications;
  const authenticator = createMessageAuthenticator({
    servers: dns.servers,
    timeoutMs: dns.timeoutMs,
    onFault: (fault) => {
      log.warn('authentication.gave_up', fault);
    },
  });
  return createMessageAuthentications({
    mail,
    authenticator,
    onError: (error) => {
      log.error('authentication.failed', { error });
    },
  });
}
