// Sums up the checks of a message's origin in one word for the reader. Pure. DMARC decides, since it alone concerns
// the address shown; without a policy of the domain, a signature of that very domain does. The result counts only if
// the domain checked is that of the address shown, and nothing in the header is in doubt.
import type { FullMessage } from '../../api/answers.ts';
import { domainOf } from './shown-sender.ts';

export interface Trust {
  readonly kind: 'verified' | 'forged' | 'doubtful' | 'unproven' | 'later' | 'off';
  /** Domain of the address shown, in ASCII; empty if there is none. */
  readonly domain: string;
}

type Checked = Pick<
  FullMessage,
  'sender_email' | 'authentication' | 'authentication_details' | 'authentication_doubt'
>;

export function toTrust({
  sender_email: email,
  authentication,
  authentication_details: details,
  authentication_doubt: doubt,
}: Checked): Trust {
  const domain = domainOf(email);
  const { dmarc, dkim, spf } = authentication;
  const is = (kind: Trust['kind']): Trust => ({ kind, domain });
  if (dmarc === null && dkim === null && spf === null) return is('off');
  if (dmarc === 'fail') return is('forged');
  if (doubt) return is('doubtful');
  const isChecked = domain !== '' && details?.dmarc.domain === domain;
  if (isChecked && dmarc === 'pass') return is('verified');
  if (isChecked && dkim === 'pass' && details.dkim.domain === domain) return is('verified');
  return is(dmarc === 'temperror' ? 'later' : 'unproven');
}
