// Reads the body of Mailpit's POST /api/v1/send. Pure.

import { randomUUID } from 'node:crypto';

import { parseMailbox } from '../../../mail-receiver/src/address.ts';
import type { JsonLimits } from '../../../http-parts/src/body-limits.ts';
import type { ReadCall } from '../compose.ts';
import { readMessageId } from '../composing/message-id.ts';
import { parseJsonObject } from '../../../http-parts/src/json-object.ts';
import { readSendRequest } from './send-request.ts';

/** Room for every recipient, field and file that a message may have. */
const jsonLimits: JsonLimits = { names: 2000, commas: 5000, depth: 8 };

/** @throws MalformedBodyError, RefusedError */
export const readSendCall: ReadCall = ({ body }) => {
  const { bcc, header, content } = readSendRequest(parseJsonObject(body, jsonLimits));
  const { from, to, cc, fields } = header;
  const given = fields.find(([name]) => name.toLowerCase() === 'message-id')?.[1];
  const messageId = readMessageId(given ?? `${randomUUID()}@mailpit.invalid`);
  const message = {
    id: messageId,
    messageId,
    mailFrom: parseMailbox(from.email, true) ? from.email : null,
    rcptTo: [...to, ...cc].map(({ email }) => email).concat(bcc),
    header,
    content,
  };
  return { items: [message] };
};
