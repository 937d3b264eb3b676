import { expect, it } from 'vitest';

import { toDeliveryReason } from './delivery-reason.ts';

it.each([
  ['452 4.2.2 Recipient is over quota', 'full'],
  ['552 5.3.4 Message is too big', 'tooBig'],
  ['550 5.7.1 Refused by the DMARC policy of the From domain', 'policy'],
  ['550 5.1.1 No such recipient', 'unknown'],
  ['451 4.3.0 Local error, try again later', 'later'],
  ['450 too busy', 'later'],
  ['550 5.6.11 Bare CR or LF in message', 'malformed'],
  ['554 5.4.6 Too many hops', undefined],
  ['nonsense', undefined],
])('reads %j as %s', (reply, reason) => {
  expect(toDeliveryReason(reply)).toBe(reason);
});
