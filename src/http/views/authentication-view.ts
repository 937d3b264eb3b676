// Shows the authentication of a message in read-mail: one word for each method, with details. Domains, selectors and
// reasons may come from the sender and are shown as text.

import type { Authentication } from '#mail-receiver/authentication';
import { type Static, Type } from '#http-parts/json-schema';

import { orNull, text } from './schemas.ts';

const results = 'pass, fail, softfail, neutral, none, policy, temperror or permerror (RFC 8601)';

export const authenticationSchema = Type.Object(
  {
    spf: orNull(text('Whether the host may send for the domain of `envelope.mail_from` (RFC 7208).')),
    dkim: orNull(text('Whether a signature of the message verifies (RFC 6376).')),
    dmarc: orNull(text('Whether SPF or DKIM vouches for the domain of From (RFC 7489).')),
    arc: orNull(text('Whether the chain of hosts that passed it on verifies (RFC 8617).')),
  },
  {
    description:
      `Each is one of ${results}. temperror when DNS has not answered: read again later. ` +
      'Null while it is not known, or where the operator has turned it off.',
  },
);

const reason = orNull(text('The reason, where the result alone does not explain it.'));
const domain = orNull(text('The domain that the result is about; only a claim unless it passes.'));

export const authenticationDetails = Type.Object(
  {
    spf: Type.Object({ domain, reason }),
    dkim: Type.Object({
      domain,
      reason,
      signatures: Type.Array(
        Type.Object({ domain, selector: text('The name of the key.'), result: text(''), reason }),
        { description: 'The first five.' },
      ),
    }),
    dmarc: Type.Object({
      domain,
      policy: orNull(text('The domain’s policy for mail that fails: none, quarantine or reject.')),
      reason,
    }),
    arc: Type.Object({ domain, reason }),
  },
  { description: 'Details of `authentication`; null where that is null.' },
);

export const authenticationDetailsSchema = orNull(authenticationDetails);

export const authenticationDoubtSchema = orNull(
  text(
    'Why the sender or the subject may differ from the one that was checked: a field that should occur once is ' +
      'there twice, or programs read the header in different ways. Null for an ordinary header. A program that relies on ' +
      '`authentication` should treat mail with a doubt as unauthenticated.',
  ),
);

interface AuthenticationView {
  readonly authentication: Static<typeof authenticationSchema>;
  readonly authentication_details: Static<typeof authenticationDetailsSchema>;
  readonly authentication_doubt: Static<typeof authenticationDoubtSchema>;
}

export function toAuthenticationView(found: Authentication | null): AuthenticationView {
  if (!found) {
    return {
      authentication: { spf: null, dkim: null, dmarc: null, arc: null },
      authentication_details: null,
      authentication_doubt: null,
    };
  }
  const { spf, dkim, dmarc, arc, doubt = null } = found;
  return {
    authentication: { spf: spf.result, dkim: dkim.result, dmarc: dmarc.result, arc: arc.result },
    authentication_details: {
      spf: { domain: spf.domain, reason: spf.reason },
      dkim: {
        domain: dkim.domain,
        reason: dkim.reason,
        signatures: dkim.signatures.map((one) => ({
          domain: one.domain,
          selector: one.selector,
          result: one.result,
          reason: one.reason,
        })),
      },
      dmarc: { domain: dmarc.domain, policy: dmarc.policy, reason: dmarc.reason },
      arc: { domain: arc.domain, reason: arc.reason },
    },
    authentication_doubt: doubt,
  };
}
