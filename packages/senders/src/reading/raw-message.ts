// Reads a message that a call carries complete: its lines end as SMTP wants, and Bcc, which belongs only to the
// envelope, is taken out.

import { firstValue, type Mailbox, parseMailboxes, readHeaderFields } from '@mayfly/mail-reader/header';

import { readMessageId } from '../composing/message-id.ts';

export interface RawMail {
  readonly raw: Buffer;
  /** Undefined without a valid address in From. */
  readonly from: Mailbox | undefined;
  /** Those of To, Cc and Bcc. */
  readonly recipients: readonly string[];
  /** Without angle brackets. */
  readonly messageId: string | undefined;
}

const headerLimits = { bytesMax: 256 * 1024, fieldsMax: 2000 };
const recipientsMax = 1000;

export function readRawMail(bytes: Buffer): RawMail {
  const whole = withLineEnds(bytes);
  const { fields, bodyStart } = readHeaderFields(whole, 0, headerLimits);
  const mailboxesOf = (name: string): readonly Mailbox[] =>
    parseMailboxes(firstValue(fields, name) ?? '', recipientsMax).filter(({ email }) => email !== '');
  const messageId = readMessageId(firstValue(fields, 'message-id') ?? '');
  return {
    raw: withoutBcc(whole, bodyStart),
    from: mailboxesOf('from')[0],
    recipients: ['to', 'cc', 'bcc'].flatMap(mailboxesOf).map(({ email }) => email),
    messageId: messageId === '' ? undefined : messageId,
  };
}

/** Programs write lines as their system does. */
function withLineEnds(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  if (!/\r(?!\n)|(?<!\r)\n/.test(text)) return bytes;
  return Buffer.from(text.replace(/\r?\n|\r/g, '\r\n'), 'latin1');
}

function withoutBcc(message: Buffer, bodyStart: number): Buffer {
  const header = message.toString('latin1', 0, bodyStart);
  const kept = header.replace(/^(?:resent-)?bcc[ \t]*:.*(?:\r\n[ \t].*)*\r\n/gim, '');
  if (kept === header) return message;
  return Buffer.concat([Buffer.from(kept, 'latin1'), message.subarray(bodyStart)]);
}
