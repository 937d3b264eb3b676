// The dialects of the services that applications send mail through, with the routes by which clients verify events.

import { stringifyWellFormed } from '#http-parts/answer';
import { senders } from '#senders/senders';
import { MayflyError } from '../../domain/mayfly-error.ts';
import {
  type CompatContext,
  type CompatRoute,
  type Dialect,
  type Endpoint,
  publicRoute,
  sessionRoute,
} from '../dialect.ts';
import { toDialect } from './to-dialect.ts';
import type { SenderEvents } from './events/sender-events.ts';

/** SendGrid's own call for the key that verifies events. */
const keyRoutes = ['', '/sendgrid'].map((prefix) =>
  sessionRoute(
    `GET ${prefix}/v3/user/webhooks/event/settings/signed` as Endpoint,
    'the public key that verifies events',
    (context) => ({ body: stringifyWellFormed({ public_key: eventsOf(context).publicKey }) }),
  ),
);

/** Its address is in each notification of SES. */
const certificateRoute = publicRoute(
  'GET /ses/SimpleNotificationService.pem',
  'the certificate that verifies notifications; needs no token',
  async (context) => ({
    headers: { 'content-type': 'application/x-pem-file' },
    body: await eventsOf(context).certificate(),
  }),
);

/** @throws MayflyError not_found */
function eventsOf({ senderEvents }: CompatContext): SenderEvents {
  if (!senderEvents) throw new MayflyError('not_found', 'No URL for events is configured.');
  return senderEvents;
}

const others: Readonly<Record<string, readonly CompatRoute[]>> = {
  sendgrid: keyRoutes,
  ses: [certificateRoute],
};

export const senderDialects: readonly Dialect[] = senders.map((sender) =>
  toDialect(sender, others[sender.name]),
);
