// Everything the services work with, made once by app.ts. Each service names the part it needs; this is the sum that
// the HTTP interface is handed.

import type { CheckMailDeps } from './check-mail.ts';
import type { CreateSessionDeps } from './create-session.ts';
import type { DeliveryLog } from './delivery-log.ts';
import type { ListDomainsDeps } from './list-domains.ts';
import type { HtmlMailDeps } from './read-html-mail.ts';
import type { WebhookDeps } from './create-session-with-webhook.ts';
import type { ShareDeps } from './share-session.ts';
import type { WaitDeps } from './wait-for.ts';
import type { ReceiveMessageDeps } from './receive-message.ts';
import type { SessionCaches } from './session-caches.ts';

export type ServiceDeps = CreateSessionDeps &
  ListDomainsDeps &
  CheckMailDeps &
  HtmlMailDeps &
  WaitDeps &
  WebhookDeps &
  ShareDeps &
  ReceiveMessageDeps &
  SessionCaches & { readonly deliveryLog: DeliveryLog };
