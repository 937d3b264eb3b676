// Delivers one message that a provider handed over: recipients are resolved as at RCPT, and the message ends in
// receive-message. Resolves after the commit, with the outcome for the provider.

import { createHash } from 'node:crypto';

import { readSpf } from '#inbound/authentication-results';
import type { InboundMail } from '#inbound/intake';
import { parseMail, parseRcpt, type RcptCommand } from '#mail-receiver/parse-path';
import { nameOf, replies, type Reply } from '#mail-receiver/reply';
import type { FoundSpf, MessageSource } from '../domain/message.ts';
import { refusalOf } from '../service/receiving/receive-message.ts';
import type { Recipient } from '../service/session/recipient.ts';
import type { InboundRoute } from '../store/inbound-store.ts';
import type { ArrivingMessage } from './arriving-message.ts';
import type { Outcome } from './inbound-answers.ts';
import type { InboundParts } from './inbound-parts.ts';

const source = 'http';

interface Accepted {
  readonly text: string;
  readonly recipient: Recipient;
}

interface Resolved {
  readonly accepted: readonly Accepted[];
  /** One for each recipient that was refused. */
  readonly replies: readonly Reply[];
}

/** Rejects when nothing was stored. */
export async function receiveInbound(
  parts: InboundParts,
  route: InboundRoute,
  mail: InboundMail,
  message: ArrivingMessage,
): Promise<Outcome> {
  const { receiver, metrics } = parts;
  const { sizeBytes } = message.raw;
  const mailFrom = readSender(mail.mailFrom);
  if (receiver.isSenderBlocked(mailFrom)) return refuse(parts, replies.blockedSender);
  if (mail.rcptTo.length === 0 || mail.rcptTo.length > parts.settings.recipientsMax) {
    return refuse(parts, replies.tooManyRecipients);
  }
  const resolved = await resolveAll(parts, mail, { mailFrom, sizeBytes });
  const { accepted } = resolved;
  const refusal = worst(resolved.replies);
  if (accepted.length === 0) return refuse(parts, refusal ?? replies.noValidRecipients);
  const incoming = {
    envelope: { mailFrom, rcptTo: accepted.map(({ text }) => text) },
    raw: message.raw,
    source: toSource(route, message, mailFrom),
    origin: toOrigin(route.name, mail.id),
  };
  const recipients = accepted.map(({ recipient }) => recipient);
  const { outcome } = await receiver.receiveMessage(incoming, recipients);
  const reply = refusalOf(outcome);
  if (reply) {
    receiver.recordRefusal(recipients, { ...toRefused(reply, mailFrom), sizeBytes });
    return refuse(parts, reply);
  }
  metrics.messages.of(source, 'stored', '').value += 1;
  metrics.messageBytes.of(source).value += sizeBytes;
  // A later try finds the others stored already.
  if (refusal?.startsWith('4')) return { kind: 'deferred', reply: refusal.trimEnd() };
  return { kind: outcome === 'discarded' ? 'discarded' : 'stored' };
}

/** Returns the sender as SMTP would have taken it; a path that is none counts as empty. */
function readSender(text: string): string | null {
  const parsed = parseMail(`FROM:<${text.replace(/^<|>$/g, '')}> SMTPUTF8`);
  return typeof parsed === 'string' ? null : parsed.mailFrom;
}

async function resolveAll(
  parts: InboundParts,
  { rcptTo }: InboundMail,
  { mailFrom, sizeBytes }: { readonly mailFrom: string | null; readonly sizeBytes: number },
): Promise<Resolved> {
  const accepted: Accepted[] = [];
  const refused: Reply[] = [];
  for (const text of rcptTo) {
    const parsed = parseRcpt(`TO:<${text.replace(/^<|>$/g, '')}>`, true);
    const found = typeof parsed === 'string' ? parsed : await resolve(parts, parsed, { mailFrom, sizeBytes });
    if (typeof found === 'string') refused.push(found);
    else accepted.push(found);
  }
  return { accepted, replies: refused };
}

/** As at RCPT: what is refused here is recorded as there. */
async function resolve(
  { receiver }: InboundParts,
  { address, text }: RcptCommand,
  { mailFrom, sizeBytes }: { readonly mailFrom: string | null; readonly sizeBytes: number },
): Promise<Accepted | Reply> {
  const resolution = await receiver.resolveRecipient(address, { sizeBytes });
  switch (resolution.outcome) {
    case 'accepted':
      return { text, recipient: resolution.recipient };
    case 'full':
      receiver.recordRefusal([resolution.recipient], {
        ...toRefused(replies.recipientFull, mailFrom),
        sizeBytes,
      });
      return replies.recipientFull;
    case 'foreign':
    case 'unknown': {
      const isForeign = resolution.outcome === 'foreign';
      const reply = isForeign ? replies.relayDenied : replies.unknownRecipient;
      receiver.recordUnknownRecipient(address, reply.trimEnd(), isForeign, toPeer(mailFrom));
      return reply;
    }
  }
}

function toRefused(reply: Reply, mailFrom: string | null) {
  return { reply: reply.trimEnd(), ...toPeer(mailFrom) };
}

/** The sending host is unknown here. */
function toPeer(mailFrom: string | null) {
  return { remoteAddress: '', tls: null, mailFrom };
}

/** A temporary refusal comes first: the provider tries again, and finds the others refused again. */
function worst(refused: readonly Reply[]): Reply | undefined {
  return refused.find((reply) => reply.startsWith('4')) ?? refused[0];
}

function refuse({ metrics }: InboundParts, reply: Reply): Outcome {
  const kind = reply.startsWith('4') ? 'deferred' : 'refused';
  metrics.messages.of(source, kind, nameOf(reply)).value += 1;
  return { kind, reply: reply.trimEnd() };
}

/** The sending host is unknown here, so that there is no SPF unless the provider is trusted to tell it. */
function toSource(
  { provider, trusts }: InboundRoute,
  { raw }: ArrivingMessage,
  mailFrom: string | null,
): MessageSource {
  const from = { protocol: 'HTTP', remoteAddress: '', helo: provider, tls: null } as const;
  if (trusts === null) return from;
  const spf = readSpf(raw.head(), trusts);
  return { ...from, spf: isAbout(spf, mailFrom) ? spf : { result: 'none', domain: null } };
}

/** A result about another sender says nothing about this one. */
function isAbout(spf: FoundSpf | undefined, mailFrom: string | null): spf is FoundSpf {
  if (!spf) return false;
  const own = mailFrom?.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase();
  return own === undefined || spf.domain === own;
}

function toOrigin(route: string, id: string): Buffer {
  return createHash('sha256').update(`${route}\n${id}`).digest().subarray(0, 16);
}
