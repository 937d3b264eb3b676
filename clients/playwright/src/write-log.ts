// Formats the delivery log for the report of a failed test.

import type { Delivery, MessageSummary } from 'mayfly-client';

/** Names of a message's attachments, or the reasons why they are missing. */
export type Note = readonly string[];

export interface Log {
  readonly email: string;
  /** Newest first; undefined if the service did not answer. */
  readonly messages: readonly MessageSummary[] | undefined;
  /** Newest first; undefined if the service did not answer. */
  readonly deliveries: readonly Delivery[] | undefined;
  /** By message id. */
  readonly notes: ReadonlyMap<number, Note>;
  readonly problems: readonly string[];
}

/** The most important comes first: reports in a terminal show only the first 300 characters. */
export function writeLog({ email, messages, deliveries, notes, problems }: Log): string {
  const lines = [
    `${summarise(messages, deliveries)} ${email}`,
    ...problems,
    ...section('Answers to senders:', deliveries?.toReversed().map(describeDelivery)),
    ...section(
      'Messages:',
      messages?.toReversed().flatMap((message) => describeMessage(message, notes.get(message.id) ?? [])),
    ),
  ];
  return `${lines.join('\n')}\n`;
}

function summarise(messages: Log['messages'], deliveries: Log['deliveries']): string {
  if (messages === undefined || deliveries === undefined) return 'It is not known what came to';
  const refused = deliveries.filter(({ outcome }) => outcome === 'refused').length;
  if (messages.length === 0 && refused === 0) return 'Nothing came that the service knows of to';
  const count = messages.length === 1 ? '1 message' : `${messages.length} messages`;
  return `${count}${refused === 0 ? '' : `, and ${refused} refused,`} came to`;
}

function section(title: string, lines: readonly string[] | undefined): readonly string[] {
  return lines === undefined || lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function describeDelivery({ at, outcome, reply, mailFrom, remoteIp, tls }: Delivery): string {
  const host = remoteIp === '' ? '' : `, ${remoteIp}`;
  return `${toTime(at)} ${outcome} ${JSON.stringify(mailFrom ?? '<>')}: ${reply} (${tls ?? 'no TLS'}${host})`;
}

/** The sender's text is quoted, so that it cannot pass for a line of this log. */
function describeMessage(message: MessageSummary, note: Note): readonly string[] {
  const { id, receivedAt, subject, senderEmail, recipients, code } = message;
  const found = code === null ? 'no code' : `code ${JSON.stringify(code)}`;
  const to = recipients.map((recipient) => JSON.stringify(recipient)).join(', ');
  return [
    `${id}: ${toTime(receivedAt)} ${JSON.stringify(subject)}, ${found}, from ${JSON.stringify(senderEmail)} to ${to}`,
    ...note.map((line) => `   ${line}`),
  ];
}

/** Formats a time in UTC; the JSON has the date. */
function toTime(at: Date): string {
  return at.toISOString().slice(11, 19);
}
