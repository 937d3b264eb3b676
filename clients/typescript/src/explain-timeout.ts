// Builds the error for a wait that timed out: what arrived instead, and what the service refused meanwhile.

import { MailTimeout, type NearMiss } from './errors.ts';
import { describeMatch, type MessageMatch, whyNot } from './match.ts';
import type { Delivery, MessageSummary, OtherMail, RefusedRecipient } from './models.ts';

export interface Ended {
  readonly email: string;
  /** Which service was asked: a sentence. */
  readonly service: string;
  readonly match: MessageMatch;
  /** The part wanted of a message, such as `link`. */
  readonly what?: string | undefined;
  /** Ids of messages that earlier calls returned. */
  readonly returned: ReadonlySet<number>;
  /** Milliseconds that the wait lasted. */
  readonly waited: number;
  /** Start of the wait and current time, by the service's clock. */
  readonly since: Date;
  readonly now: Date;
  /** Newest first. */
  readonly messages: readonly MessageSummary[];
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** Newest first. */
  readonly refusedRecipients: readonly RefusedRecipient[];
  /** Newest first. */
  readonly otherMail: readonly OtherMail[];
}

const shownMax = 10;

export function explainTimeout(ended: Ended): MailTimeout {
  const { email, match, what, returned, waited, since, now, refusedRecipients } = ended;
  const otherMail = ended.otherMail.slice(0, shownMax);
  const nearMisses = ended.messages.slice(0, shownMax).map((message): NearMiss => {
    const reason = returned.has(message.id) ? 'returned by an earlier call' : whyNot(message, match);
    return { message, reason };
  });
  const deliveries = ended.deliveries.filter(({ at }) => at >= since).reverse();
  const lines = [
    `No ${describeMatch(match, what)} came to ${email} within ${formatSeconds(waited)}.`,
    ...section(
      'What is there:',
      nearMisses.map((miss) => describeMiss(miss, now)),
    ),
    ...(ended.messages.length > shownMax ? [`  and ${ended.messages.length - shownMax} older messages`] : []),
    ...section(
      'What the service answered senders meanwhile:',
      deliveries.slice(-shownMax).map(describeDelivery),
    ),
  ];
  if (ended.messages.length === 0 && deliveries.length === 0) {
    lines.push(`Nothing was sent to ${email} that the service knows of.`);
  }
  lines.push(
    ...section(
      'What came for others since the inbox was made:',
      otherMail.map((mail) => describeOther(mail, now)),
    ),
    ...section(
      'Addresses like it that mail was refused for:',
      refusedRecipients.map((refused) => describeRefused(refused, now)),
    ),
  );
  lines.push(ended.service);
  return new MailTimeout(lines.join('\n'), { email, nearMisses, deliveries, refusedRecipients, otherMail });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function describeOther({ receivedAt, recipients, senderEmail, subject }: OtherMail, now: Date): string {
  const sender = senderEmail || 'an unknown sender';
  return `${formatAge(receivedAt, now)} ago, ${JSON.stringify(subject)} from ${sender} to ${recipients.join(', ')}`;
}

function describeMiss({ message, reason }: NearMiss, now: Date): string {
  const { subject, senderEmail, receivedAt } = message;
  return `${formatAge(receivedAt, now)} ago, ${JSON.stringify(subject)} from ${senderEmail || 'an unknown sender'}: ${reason}`;
}

function describeDelivery({ at, outcome, reply, mailFrom }: Delivery): string {
  const time = at.toISOString().slice(11, 19);
  return `${time} ${outcome} mail from ${mailFrom ?? '<>'}: ${reply}`;
}

function describeRefused({ at, recipient, reply }: RefusedRecipient, now: Date): string {
  return `${formatAge(at, now)} ago, one RCPT to ${recipient} was refused: unknown (${reply})`;
}

function formatAge(at: Date, now: Date): string {
  return formatSeconds(Math.max(0, now.getTime() - at.getTime()));
}

function formatSeconds(ms: number): string {
  return `${Number((ms / 1000).toFixed(1))} s`;
}
