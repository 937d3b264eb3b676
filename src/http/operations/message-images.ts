// GET /inline-image and GET /remote-image: pictures in a framed message, and PDF documents. Only types that cannot be
// anything else are served, never as a page. The frame's origin is opaque, so pictures allow any origin; a document is
// for the browser's viewer in a window of its own.

import { type Answer, toStreamedBody } from '#http-parts/answer';
import { inlineDisposition } from '#http-parts/content-disposition';
import type { ShownImage } from '../../service/mail/message-images.ts';
import type { OpenedAttachment } from '../../service/mail/read-mail.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { htmlTicketPart, inlineImagePath, remoteImagePath } from '../views/html-paths.ts';
import { messageIdParameter } from './parameters.ts';

function toAnswer(image: ShownImage): Answer {
  if ('pieces' in image && image.contentType === 'application/pdf') return toPdfAnswer(image);
  return {
    headers: {
      'content-type': image.contentType,
      'content-disposition': 'inline',
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'cross-origin',
    },
    body: 'pieces' in image ? toStreamedBody(image) : toBuffer(image.bytes),
  };
}

function toPdfAnswer(file: OpenedAttachment): Answer {
  return {
    headers: {
      'content-type': file.contentType,
      'content-disposition': inlineDisposition(file.filename),
      // Without `sandbox`, in which WebKit shows nothing: the type alone keeps it from being a page.
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: toStreamedBody(file),
  };
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

const inlineImageOperation = sessionOperation({
  name: 'inlineImage',
  tag: 'Mail',
  method: 'GET',
  path: inlineImagePath,
  summary: 'Show a picture or a PDF document that came with a message',
  description:
    'PNG, JPEG, GIF and WebP, linked from the HTML of a message, and PDF documents. The first bytes decide, whatever type ' +
    'the sender declared; everything else is a download.',
  parameters: {
    id: messageIdParameter,
    part: { kind: 'text', required: true, description: '`id` of an attachment from read-mail.' },
  },
  answers: 'image/*',
  errors: ['message_not_found', 'attachment_not_found'],
  takesShare: true,
  ticketScope: ({ id, part }) => ({ messageId: id, part }),
  async run({ services }, { live, parameters }) {
    return toAnswer(await services.readInlineImage(live.session, parameters));
  },
});

const remoteImageOperation = sessionOperation({
  name: 'remoteImage',
  tag: 'Mail',
  method: 'GET',
  path: remoteImagePath,
  summary: 'Show a remote picture of a message',
  description:
    'Fetched by the server, so that the sender learns nothing about the reader. Only where the operator has turned ' +
    'it on, and only for pictures of the message itself. Linked from /html-mail with `remote=1`.',
  parameters: {
    id: messageIdParameter,
    url: { kind: 'text', required: true, description: 'Address of a picture in the HTML of the message.' },
  },
  answers: 'image/*',
  errors: ['message_not_found', 'not_found'],
  takesShare: true,
  ticketScope: ({ id }) => ({ messageId: id, part: htmlTicketPart }),
  async run({ services }, { live, parameters, caller }) {
    return toAnswer(await services.readRemoteImage(live.session, { ...parameters, asker: caller }));
  },
});

export const imageOperations: readonly Operation[] = [inlineImageOperation, remoteImageOperation];
