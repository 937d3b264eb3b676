// Mailbox names with Inbucket's rules: a local part or a whole address, in any case, without a plus tag. A name
// selects the session's messages with such a recipient.

import { MayflyError } from '../../domain/mayfly-error.ts';

export interface MailboxName {
  /** As shown in answers. */
  readonly name: string;
  /** Reports whether mail for this recipient belongs to the mailbox. */
  readonly holds: (recipient: string) => boolean;
}

const charsMax = 320;
const localPart = /^[a-z\d!#$%&'*+\-/=?^_`.{|}~]+$/;

/** @throws MayflyError invalid_parameter */
export function parseMailboxName(text: string): MailboxName {
  const name = toName(text);
  const { local, domain } = split(name);
  if (text.length > charsMax) throw invalidName(`must have at most ${charsMax} characters`);
  if (local === '') throw invalidName('must not be empty');
  if (!localPart.test(local)) throw invalidName('must be a local part or an address');
  return {
    name,
    holds: (recipient) =>
      domain === '' ? split(toName(recipient)).local === local : toName(recipient) === name,
  };
}

function toName(address: string): string {
  const { local, domain } = split(address.toLowerCase());
  const base = local.split('+', 1)[0] ?? '';
  return domain === '' ? base : `${base}@${domain}`;
}

function split(address: string): { readonly local: string; readonly domain: string } {
  const at = address.lastIndexOf('@');
  return at < 0
    ? { local: address, domain: '' }
    : { local: address.slice(0, at), domain: address.slice(at + 1) };
}

function invalidName(what: string): MayflyError {
  return new MayflyError('invalid_parameter', `The name of a mailbox ${what}.`, { parameter: 'name' });
}
