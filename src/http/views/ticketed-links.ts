// Creates links for a browser, each with a ticket in place of the token. They are paths, so that they work on whatever
// origin the service is reached by.

import { findPictures, type ParsedMessage } from '@mayfly/mail-reader';
import type { ImageSlot } from '@mayfly/mail-reader/html';
import { ticketLifetimeMs } from '#sealing/ticket';
import type { Services } from '../../service/services.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { attachmentPath, rawMailPath, rawTicketPart } from '../operations/download.ts';
import { htmlMailPath, htmlTicketPart, inlineImagePath, remoteImagePath } from './html-paths.ts';

export interface MessageLinks {
  readonly raw: string;
  /** For the framed document. */
  readonly html: string;
  readonly attachment: (id: string) => string;
  /** Returns the link for a gap in sanitised HTML; for a missing part, one that leads nowhere. */
  readonly image: (slot: ImageSlot) => string;
}

export interface LinkedMessage {
  readonly id: number;
  readonly parsed: ParsedMessage;
}

export interface LinkContext {
  readonly services: Pick<Services, 'issueTicket'>;
  /** '' or a path such as `/mail`. */
  readonly basePath: string;
}

export function createTicketedLinks(
  { id, parsed }: LinkedMessage,
  live: LiveSession,
  { services, basePath }: LinkContext,
): MessageLinks {
  const { now, linksEndAt = Infinity } = live;
  // Backdated, so that they end no later than allowed.
  const madeAt = Math.min(now, linksEndAt - ticketLifetimeMs);
  // A message may show one picture thousands of times, and each ticket is a signature.
  const tickets = new Map<string, string>();
  const ticketFor = (part: string): string => {
    const ticket = tickets.get(part) ?? services.issueTicket(live, { messageId: id, part, madeAt });
    tickets.set(part, ticket);
    return ticket;
  };
  return composeLinks({ id, parsed }, (path, part, query = {}) =>
    toUrl(basePath + path, { id, ...query, ticket: ticketFor(part) }),
  );
}

/** Links without a ticket: following them takes the token. */
export function createPlainLinks({ id, parsed }: LinkedMessage, basePath: string): MessageLinks {
  return composeLinks({ id, parsed }, (path, _part, query = {}) => toUrl(basePath + path, { id, ...query }));
}

type Link = (path: string, part: string, query?: Readonly<Record<string, string>>) => string;

function composeLinks({ parsed }: LinkedMessage, link: Link): MessageLinks {
  const pictures = findPictures(parsed.attachments);
  return {
    raw: link(rawMailPath, rawTicketPart),
    html: link(htmlMailPath, htmlTicketPart),
    attachment: (part) => link(attachmentPath, part, { part }),
    image: (slot) => {
      if (slot.kind === 'remote') return link(remoteImagePath, htmlTicketPart, { url: slot.url });
      const part = pictures.get(slot.contentId)?.id ?? '';
      return link(inlineImagePath, part, { part });
    },
  };
}

function toUrl(path: string, query: Readonly<Record<string, string | number>>): string {
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `${path}?${pairs.join('&')}`;
}
