// Finds which spellings of an account a message is for, from its header alone. Pure. The
// caller looks up the sessions: a spelling counts only if exactly that one is in use. Fields written by the account's server
// take precedence over those written by the sender; mail in the account's own spelling belongs to the operator.

import { parseMailboxes, type RawField } from '@mayfly/mail-reader/header';
import { type Address, parseMailbox } from '../../mail-receiver/src/address.ts';
import { type AliasBase, isOwnSpelling, reachesAccount, toAliasKey } from './alias.ts';
import { findTopmost, readPath, type Trace } from './read-trace.ts';

/** The most mailboxes of all To and Cc fields together that are examined. */
const addressedMax = 1000;
/** The most spellings of the account that are looked up for one message. */
const aliasesMax = 100;

/** Written by the account's own server, above its Received field. */
const serverFields = ['delivered-to', 'x-original-to'];
/** Written by a forwarding server, below it. */
const forwarderFields = ['x-gm-original-to', 'x-forwarded-to'];

/**
 * Returns keys of aliases (toAliasKey), each once, never the account's own spelling. Empty for the operator's own
 * mail.
 */
export function findRecipients(fields: readonly RawField[], trace: Trace, base: AliasBase): string[] {
  const recipient = findRecipient(fields, trace, base);
  const addressed = readAddressed(fields).filter((address) => reachesAccount(base, address));
  const aliases = [...(recipient ? [recipient] : []), ...addressed].filter(
    (address) => !isOwnSpelling(base, address),
  );
  return [...new Set(aliases.map(toAliasKey))].slice(0, aliasesMax);
}

/** The first source that names the account, in any spelling, decides; less trustworthy sources are not consulted. */
function findRecipient(fields: readonly RawField[], trace: Trace, base: AliasBase): Address | undefined {
  const candidates = [
    trace.receivedFor,
    ...serverFields.map((name) => readField(trace.trusted, name)),
    ...forwarderFields.map((name) => readField(fields, name)),
  ];
  return candidates.find((address) => address && reachesAccount(base, address));
}

function readField(fields: readonly RawField[], name: string): Address | undefined {
  const value = findTopmost(fields, name);
  return value === undefined ? undefined : readPath(value);
}

/** Reads addresses only where the syntax allows one, never from a display name or a comment. */
function readAddressed(fields: readonly RawField[]): Address[] {
  const addresses: Address[] = [];
  let left = addressedMax;
  for (const { name, value } of fields) {
    if (left === 0 || !/^(?:to|cc)$/i.test(name)) continue;
    const mailboxes = parseMailboxes(value, left);
    left -= mailboxes.length;
    for (const { email } of mailboxes) {
      const address = parseMailbox(email);
      if (address) addresses.push(address);
    }
  }
  return addresses;
}
