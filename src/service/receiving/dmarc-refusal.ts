// Decides whether a message is refused at end of data because it fails DMARC, its From domain requests rejection, and a
// recipient's domain honours that. Called by receive-message before the commit; costs nothing unless such a domain
// exists.

import { type Authentication, isToBeRefused } from '#mail-receiver/authentication';
import type { Traced } from '#telemetry/traces';
import { ownDomainOf } from '../../domain/addresses/capture.ts';
import type { IncomingMessage } from '../../domain/message.ts';
import type { Domain } from '../../store/directory-store.ts';
import type { MessageAuthentications } from '../mail/message-authentications.ts';

/** The sender waits meanwhile; mail that is undecided by then is accepted. */
const waitMs = 2000;

export interface DmarcRefusalDeps {
  readonly authentications: MessageAuthentications;
}

export interface DmarcQuestion {
  /** The recipients' addresses; `@` and a domain is enough. */
  readonly addresses: readonly string[];
  /** The domains that refuse what fails DMARC. */
  readonly domains: readonly Domain[];
}

/**
 * One reply serves all recipients: the message is refused for all when one of their domains refuses it. A message is
 * not refused because DNS does not answer in time.
 */
export async function isRefusedByDmarc(
  { authentications }: DmarcRefusalDeps,
  message: Traced<IncomingMessage>,
  { addresses, domains }: DmarcQuestion,
): Promise<boolean> {
  const wanting = new Set(domains.map(({ name }) => name));
  const isWanted = addresses.some((address) => wanting.has(ownDomainOf(address.toLowerCase())));
  if (!isWanted) return false;
  const check = (): Promise<Authentication | undefined> => authentications.check(message, waitMs);
  const authentication = await (message.stages ? message.stages.time('dmarc', check) : check());
  return authentication !== undefined && isToBeRefused(authentication);
}
