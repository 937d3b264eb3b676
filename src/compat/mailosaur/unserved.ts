// Features of Mailosaur that are not offered. Each is refused with the reason, in the format that clients show.

import { type Endpoint, sessionRoute } from '../dialect.ts';
import { invalidField } from './mailosaur-error.ts';

type Unserved = readonly [endpoint: Endpoint, field: string, reason: string];

const sending = 'Nothing is sent from here: mail comes in over SMTP and goes nowhere.';
const previews = 'Mail is not rendered in other clients here.';
const spam = 'Mail is not judged as spam here.';
const delivery = 'Results of SPF, DKIM and DMARC are in /read-mail of the main interface.';
const devices = 'There are no virtual devices here.';
const usage = 'Sessions have no account whose use is counted.';

const unserved: readonly Unserved[] = [
  ['POST /api/messages', 'send', sending],
  ['POST /api/messages/:id/forward', 'to', sending],
  ['POST /api/messages/:id/reply', 'to', sending],
  ['POST /api/messages/:id/screenshots', 'previews', previews],
  ['GET /api/files/screenshots/:id', 'previews', previews],
  ['GET /api/screenshots/clients', 'previews', previews],
  ['GET /api/analysis/spam/:id', 'analysis', spam],
  ['GET /api/analysis/deliverability/:id', 'analysis', delivery],
  ['GET /api/devices', 'devices', devices],
  ['POST /api/devices', 'devices', devices],
  ['POST /api/devices/otp', 'devices', devices],
  ['GET /api/devices/:id/otp', 'devices', devices],
  ['DELETE /api/devices/:id', 'devices', devices],
  ['GET /api/usage/limits', 'usage', usage],
  ['GET /api/usage/transactions', 'usage', usage],
];

export const unservedRoutes = unserved.map(([endpoint, field, reason]) =>
  sessionRoute(endpoint, `400: ${reason}`, () => {
    throw invalidField(field, reason);
  }),
);
