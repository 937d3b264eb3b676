// POST /import and GET /export: mail as files, for the session's holder.

import { downloadHeaders } from '#http-parts/download-headers';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { count, success } from '../views/schemas.ts';

const importOperation = sessionOperation({
  name: 'importMail',
  tag: 'Testing',
  method: 'POST',
  path: '/import',
  summary: 'Store a message from an .eml file',
  description:
    'The body is the message, as message/rfc822 or as the file of a multipart form. It is stored as if it had arrived ' +
    'now, with its lines ended by CR LF, and counts towards the session’s limits.',
  parameters: {},
  takesFile: { mediaType: 'message/rfc822' },
  answers: success({ id: count('`id` of the message.') }),
  example: { status: 'success', id: 1 },
  errors: ['body_too_large', 'session_full', 'rate_limited'],
  async run({ receiving, messageMaxBytes }, { live, caller, file = Buffer.alloc(0) }) {
    const { readMessageFile } = await import('./mail-file-bodies.ts');
    const raw = await readMessageFile(file);
    if (raw.sizeBytes > messageMaxBytes) {
      throw new MayflyError('body_too_large', `A message has at most ${messageMaxBytes} bytes.`);
    }
    const id = await receiving.importMessage(live.session, { raw, remoteAddress: caller.address });
    return jsonAnswer({ id });
  },
});

const exportOperation = sessionOperation({
  name: 'exportMail',
  tag: 'Mail',
  method: 'GET',
  path: '/export',
  summary: 'Download all messages as one mbox file',
  description:
    'Oldest first, each as raw-mail has it, in the form mboxrd: lines end with LF, and one that begins with `From ` after ' +
    'any number of `>` has one more `>`. Nothing is marked read.',
  parameters: {},
  answers: 'application/mbox',
  errors: [],
  async run({ services, onFault }, { live: { session }, caller }) {
    const { toMboxBody } = await import('./mail-file-bodies.ts');
    const body = toMboxBody(await services.exportMail(session), { onFault, gone: caller.gone });
    return { headers: downloadHeaders('application/mbox', 'mail.mbox'), body };
  },
});

export const mailFileOperations: readonly Operation[] = [importOperation, exportOperation];
