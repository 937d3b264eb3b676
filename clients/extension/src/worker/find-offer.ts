// Finds what a mail has to offer to the page whose address it came to.
import type { Message, MessageLink, MessageSummary, Inbox } from 'mayfly-client';

import type { OfferedLink } from '../shared/messages.ts';
import { isDomainOfSite, siteOf } from '../shared/site.ts';
import type { Find } from './addresses.ts';

const kinds = ['verify', 'login', 'reset', 'invite'] as const;

/** Returns what the list shows of a mail, without reading it: a code is offered as soon as it is there. */
export function findInSummary({ id, code, senderEmail }: MessageSummary, site: string): Find {
  return { id, code, link: null, url: null, foreignSender: foreignDomain(senderEmail, site) };
}

/** Reads the mail for its link, and for a code that the list lacks. */
export async function findInMail(inbox: Inbox, id: number, site: string): Promise<Find> {
  const message = await inbox.read(id);
  const link = chooseLink(message);
  return {
    ...findInSummary(message, site),
    code: message.code ?? message.codes.find(({ kind }) => kind === 'otp' || kind === 'pin')?.value ?? null,
    link: link === undefined ? null : toOffered(link, site),
    url: link?.url ?? null,
  };
}

function chooseLink({ links }: Message): MessageLink | undefined {
  const usable = links.filter(
    ({ url, clickable }) => clickable && /^https?:\/\//i.test(url) && URL.canParse(url),
  );
  return kinds.map((kind) => usable.find((link) => link.kind === kind)).find((link) => link !== undefined);
}

function toOffered({ url, kind, flags }: MessageLink, site: string): OfferedLink {
  const isForeign = siteOf(url) !== site;
  return {
    kind: kinds.find((known) => known === kind) ?? 'verify',
    host: new URL(url).host,
    isDoubtful: isForeign || flags.length > 0,
  };
}

function foreignDomain(email: string, site: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  if (domain === '') return '?';
  return isDomainOfSite(domain, site) ? null : domain;
}
