// Turns the choices in the form for a new address into parameters of create-session. Pure.
import type { NewSession } from '../../api/operations.ts';

export interface AddressChoice {
  readonly prefix: string;
  /** `any`, `domain:ID`, `gmail:auto` or `gmail:ID`: the value of an option in the form. */
  readonly place: string;
  readonly alias: 'dot' | 'plus';
  /** Seconds; 0 for the default. */
  readonly lifetime: number;
}

export function isGmailPlace(place: string): boolean {
  return place.startsWith('gmail:');
}

export function toNewSession({ prefix, place, alias, lifetime }: AddressChoice): NewSession {
  const name = prefix.trim();
  return {
    ...(name === '' ? {} : { prefix: name }),
    ...toPlace(place),
    // A chosen name is always a plus alias.
    ...(isGmailPlace(place) && name === '' ? { alias } : {}),
    ...(lifetime > 0 ? { lifetime } : {}),
  };
}

function toPlace(place: string): NewSession {
  const id = Number(place.slice(place.indexOf(':') + 1));
  if (place === 'gmail:auto') return { use_gmail: 1, gmail_auto: 1 };
  if (isGmailPlace(place)) return { use_gmail: 1, gmail_id: id };
  return place.startsWith('domain:') ? { domain_id: id } : {};
}
