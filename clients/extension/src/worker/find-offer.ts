// Finds what a mail has to offer to the page whose address it came to.
import type { Message, MessageLink, MessageSummary, Inbox } from 'mayfly-client';

import type { OfferedLink } from '../shared/messages.ts';
import { isDomainOfSite, isLoopback, plain, siteOf } from '../shared/site.ts';
import type { Find, SiteAddress } from './addresses.ts';

const kinds = ['verify', 'login', 'reset', 'invite'] as const;

/** Returns what the list shows of a mail, without reading it: a code is offered as soon as it is there. */
export function findInSummary({ id, code, senderEmail }: MessageSummary, { site }: SiteAddress): Find {
  return { id, code, link: null, url: null, foreignSender: foreignDomain(senderEmail, site) };
}

/** Reads the mail for its link, and for a code that the list lacks. */
export async function findInMail(inbox: Inbox, id: number, address: SiteAddress): Promise<Find> {
  const message = await inbox.read(id);
  const link = chooseLink(message);
  return {
    ...findInSummary(message, address),
    code: message.code ?? message.codes.find(({ kind }) => kind === 'otp' || kind === 'pin')?.value ?? null,
    link: link === undefined ? null : toOffered(link, address),
    url: link?.url ?? null,
  };
}

function chooseLink({ links }: Message): MessageLink | undefined {
  const usable = links.filter(
    ({ url, clickable }) => clickable && /^https?:\/\//i.test(url) && URL.canParse(url),
  );
  return kinds.map((kind) => usable.find((link) => link.kind === kind)).find((link) => link !== undefined);
}

function toOffered({ url, kind, flags }: MessageLink, { site, key }: SiteAddress): OfferedLink {
  const { protocol, host, hostname } = new URL(url);
  const isForeign = siteOf(url) !== site;
  // Its secret would be read by anybody on the way, which the site's own pages are not.
  const isStepDown = protocol === 'http:' && !isLoopback(hostname) && !key.includes(plain);
  return {
    kind: kinds.find((known) => known === kind) ?? 'verify',
    host: isStepDown ? plain + host : host,
    isDoubtful: isForeign || isStepDown || flags.length > 0,
  };
}

function foreignDomain(email: string, site: string): string | null {
  // As a browser writes it, without letters that look like others, or turn those around them.
  const url = `https://${email.slice(email.lastIndexOf('@') + 1)}`;
  if (!URL.canParse(url)) return '?';
  const { hostname } = new URL(url);
  return isDomainOfSite(hostname, site) ? null : hostname;
}
