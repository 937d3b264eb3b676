// GET /html-mail: a message as a document for a sandboxed frame. Even if the sanitiser fails, its policy allows no
// script of the sender's, no forms, no requests except for pictures, and gives it an opaque origin.

import { frameScriptSource } from '#mail-frame/frame-script';
import { sessionOperation } from '../operation.ts';
import { renderHtmlDocument } from './html-document.ts';
import { htmlMailPath, htmlTicketPart } from '../views/html-paths.ts';
import { messageIdParameter } from './parameters.ts';
import { createTicketedLinks } from '../views/ticketed-links.ts';

interface PolicyChoice {
  readonly ownOrigins: readonly string[];
  readonly loadsRemote: boolean;
  readonly isSized: boolean;
}

/**
 * `'self'` is the origin the document came from, although its own is opaque; WebKit compares it with the opaque one,
 * so the origin is named too.
 */
function toPolicy({ ownOrigins, loadsRemote, isSized }: PolicyChoice): string {
  const rights = 'allow-popups allow-popups-to-escape-sandbox';
  return [
    ...(isSized
      ? [
          `sandbox allow-scripts ${rights}`,
          `script-src ${frameScriptSource}`,
          "require-trusted-types-for 'script'",
          "trusted-types 'none'",
        ]
      : [`sandbox ${rights}`]),
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    ['img-src', 'data:', "'self'", ...ownOrigins, ...(loadsRemote ? ['https:', 'http:'] : [])].join(' '),
    'font-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}

const frameHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'cross-origin-resource-policy': 'same-site',
  'x-dns-prefetch-control': 'off',
} as const;

export const htmlMailOperation = sessionOperation({
  name: 'htmlMail',
  tag: 'Mail',
  method: 'GET',
  path: htmlMailPath,
  summary: 'Show the HTML of one message',
  description:
    'A document for `<iframe sandbox="allow-popups allow-popups-to-escape-sandbox">`; without HTML it shows the text. ' +
    'Remote content is left out except images with `remote=1`, which reveals to the sender that the message is read. With ' +
    '`sized=1`, for a frame that also has `allow-scripts`, a script of the service reports the height of the message to ' +
    'the surrounding page, fits it to the frame and, with `dark=1`, adapts the colours of a plain message to a dark page; ' +
    'no other script runs.',
  parameters: {
    id: messageIdParameter,
    remote: { kind: 'flag', description: '1: load remote images.' },
    dark: { kind: 'flag', description: '1: with `sized=1`, dark colours for a plain message.' },
    sized: { kind: 'flag', description: '1: report the height of the message to the surrounding page.' },
  },
  answers: 'text/html',
  errors: ['message_not_found'],
  takesShare: true,
  ticketScope: ({ id }) => ({ messageId: id, part: htmlTicketPart }),
  async run({ services, basePath }, { live, caller, parameters: { id, remote = false, sized = false } }) {
    const { parsed, html, images } = await services.readHtmlMail(live.session, { id, remote });
    const links = createTicketedLinks({ id, parsed }, live, { services, basePath });
    const { ownOrigins } = caller;
    const policy = toPolicy({ ownOrigins, loadsRemote: images === 'browser', isSized: sized });
    return {
      headers: { ...frameHeaders, 'content-security-policy': policy },
      body: await renderHtmlDocument({ text: parsed.text, html, isSized: sized }, links.image),
    };
  },
});

export const htmlSourceOperation = sessionOperation({
  name: 'htmlSource',
  tag: 'Testing',
  method: 'GET',
  path: '/html-source',
  summary: 'Return the HTML of one message as its sender wrote it',
  description:
    'As plain text, decoded and otherwise unchanged; empty without HTML. Leaves the message unread.',
  parameters: { id: messageIdParameter },
  answers: 'text/plain',
  errors: ['message_not_found'],
  takesShare: true,
  async run({ services }, { live, parameters: { id } }) {
    const { parsed } = await services.readHtmlMail(live.session, { id, remote: false });
    return {
      // Never as a page: the type alone keeps a browser from reading it as one.
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': "sandbox; default-src 'none'",
      },
      body: parsed.html ?? '',
    };
  },
});
