// Whether a message is to be refused at end of data because its From domain wants mail that fails DMARC refused, and a
// recipient's domain obeys that. Called by receive-message before the commit; without such a domain it costs nothing.

import { type Authentication, isToBeRefused } from '../domain/authentication.ts';
import type { IncomingMessage } from '../domain/message.ts';
import type { Staged } from '../observe/traces.ts';
import type { DirectoryStore } from '../store/directory-store.ts';
import type { MessageAuthentications } from './message-authentications.ts';

/** Senders wait for the reply meanwhile; what is not known by then is accepted. */
const waitMs = 2000;

export interface DmarcRefusalDeps {
  readonly directory: DirectoryStore;
  readonly authentications: MessageAuthentications;
}

/**
 * `addresses`: of the recipients; `@` and a domain is enough. One reply serves all recipients: the message is refused for all when one of their domains wants it so. What the DNS
 * does not tell in time is no reason to refuse.
 */
export async function isRefusedByDmarc(
  { directory, authentications }: DmarcRefusalDeps,
  message: Staged<IncomingMessage>,
  addresses: readonly string[],
): Promise<boolean> {
  const domains = (await directory.listDomains()).filter(({ refusesDmarcReject }) => refusesDmarcReject);
  if (domains.length === 0) return false;
  const isWanted = addresses.some((address) =>
    domains.some(({ name }) => address.toLowerCase().endsWith(`@${name}`)),
  );
  if (!isWanted) return false;
  const check = (): Promise<Authentication | undefined> => authentications.check(message, waitMs);
  const authentication = await (message.stages ? message.stages.time('dmarc', check) : check());
  return authentication !== undefined && isToBeRefused(authentication);
}
