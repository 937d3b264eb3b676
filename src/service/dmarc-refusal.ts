// Whether a message is to be refused at end of data because its From domain wants mail that fails DMARC refused, and a
// recipient's domain obeys that. Called by receive-message before the commit; without such a domain it costs nothing.

import { type Authentication, isToBeRefused } from '../domain/authentication.ts';
import { ownDomainOf } from '../domain/capture.ts';
import type { IncomingMessage } from '../domain/message.ts';
import type { Traced } from '../observe/traces.ts';
import type { Domain } from '../store/directory-store.ts';
import type { MessageAuthentications } from './message-authentications.ts';

/** Senders wait for the reply meanwhile; what is not known by then is accepted. */
const waitMs = 2000;

export interface DmarcRefusalDeps {
  readonly authentications: MessageAuthentications;
}

export interface DmarcQuestion {
  /** Of the recipients; `@` and a domain is enough. */
  readonly addresses: readonly string[];
  /** Those that refuse what fails DMARC. */
  readonly domains: readonly Domain[];
}

/**
 * One reply serves all recipients: the message is refused for all when one of their domains wants it so. What the DNS
 * does not tell in time is no reason to refuse.
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
