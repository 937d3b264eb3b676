// What the checks of a message's origin come to in one word for the reader. Pure. DMARC decides, since it alone is about
// the address that is shown; without a rule of the domain a signature of that very domain does. It counts only if the
// domain that was checked is the one of the address shown, and if nothing of the header is in doubt.
import type { FullMessage } from '../api/answers.ts';
import { domainOf } from './shown-sender.ts';

export interface Trust {
  readonly kind: 'verified' | 'forged' | 'doubtful' | 'unproven' | 'later' | 'off';
  /** Domain of the address shown, in ASCII; empty when there is none. */
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
