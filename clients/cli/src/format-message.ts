// Formats messages for a terminal. All text in them was chosen by the sender.

import type { Message, MessageSummary } from 'mayfly-client';

import { cutToWidth, toBlock, toLine } from './terminal-text.ts';

const subjectColumns = 200;

export function formatMessage(message: Message): string {
  const { id, senderName, senderEmail, recipients, subject, receivedAt, code, attachments } = message;
  const fields: readonly (readonly [name: string, value: string])[] = [
    ['Message', String(id)],
    ['From', senderName === '' ? senderEmail : `${senderName} <${senderEmail}>`],
    ['To', recipients.join(', ')],
    ['Subject', subject],
    ['Received', `${formatInstant(receivedAt)} UTC`],
    ['Code', code ?? ''],
    ...attachments.map(({ id: part, filename, contentType, size }): [string, string] => [
      'Attachment',
      `${part}: ${filename} (${contentType}, ${size} bytes)`,
    ]),
    [
      'Unread',
      message.parse === 'ok' ? '' : `the message could not be read completely: ${message.parseReason ?? ''}`,
    ],
  ];
  const head = fields.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${toLine(value)}`);
  return [...head, '', toBlock(message.text).trimEnd(), ''].join('\n');
}

/** `12:00:03  3  482913  Shop <noreply@shop.example>  Your code` */
export function formatSummary(message: MessageSummary, columns = Infinity): string {
  const { id, code, senderName, senderEmail, subject, receivedAt } = message;
  const sender = senderName === '' ? senderEmail : `${senderName} <${senderEmail}>`;
  const parts = [
    formatInstant(receivedAt).slice(11),
    String(id),
    code ?? '-',
    cutToWidth(toLine(sender), 60) || '-',
    cutToWidth(toLine(subject), subjectColumns),
  ];
  return cutToWidth(parts.map(toLine).join('  ').trimEnd(), columns);
}

function formatInstant(at: Date): string {
  return at.toISOString().slice(0, 19).replace('T', ' ');
}
