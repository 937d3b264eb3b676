// What the checks of a message's origin come to in one word for the reader. Pure. DMARC decides, since it alone is about
// the address that is shown; without a rule of the domain a signature of that very domain does.
import type { FullMessage } from '../api/answers.ts';

export interface Trust {
  readonly kind: 'verified' | 'forged' | 'unproven' | 'later' | 'off';
  /** Domain of the address shown; empty when there is none. */
  readonly domain: string;
}

type Checked = Pick<FullMessage, 'sender_email' | 'authentication' | 'authentication_details'>;

export function toTrust({
  sender_email: email,
  authentication,
  authentication_details: details,
}: Checked): Trust {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const { dmarc, dkim, spf } = authentication;
  const is = (kind: Trust['kind']): Trust => ({ kind, domain });
  if (dmarc === null && dkim === null && spf === null) return is('off');
  if (dmarc === 'pass') return is('verified');
  if (dmarc === 'fail') return is('forged');
  if (dkim === 'pass' && domain !== '' && details?.dkim.domain?.toLowerCase() === domain) {
    return is('verified');
  }
  return is(dmarc === 'temperror' ? 'later' : 'unproven');
}
