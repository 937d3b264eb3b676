// GET /read-mail, and GET /peek-mail, which leaves the message unread. A separate operation, because generated clients
// pass parameters by position, so that another one would break them.

import type { Answer } from '#http-parts/answer';
import type { FullMessage } from '../../service/mail/read-mail.ts';
import type { LiveSession } from '../../service/session/session-access.ts';
import { type OperationContext, sessionOperation } from '../operation.ts';
import { messageExample } from './examples.ts';
import { fullMessage } from '../views/full-message-schema.ts';
import { toFullMessage } from '../views/full-message.ts';
import { findCachedAnswer, cacheAnswer } from './cached-answers.ts';
import { messageIdParameter } from './parameters.ts';
import { success } from '../views/schemas.ts';
import { writeSuccess } from '../answers/success.ts';

export const readMailOperation = sessionOperation({
  name: 'readMail',
  tag: 'Mail',
  method: 'GET',
  path: '/read-mail',
  summary: 'Read one message',
  description:
    'Marks the message read, except by HEAD or through a share. Links to attachments contain tickets that are valid for ' +
    'about five minutes.',
  parameters: { id: messageIdParameter },
  answers: success({ message: fullMessage }),
  example: { status: 'success', message: messageExample },
  errors: ['message_not_found'],
  takesShare: true,
  async run(context, { live, parameters: { id }, share, isHead }): Promise<Answer> {
    const { services } = context;
    const cached = await findCachedAnswer(services, live, id);
    if (cached) return { body: cached };
    // Reading through a share does not mark the message read.
    if (isHead || share) {
      const message = await services.readMail(live.session, { id, marksRead: false });
      return { body: await toBody(context, live, message) };
    }
    const work = async (): Promise<{ message: FullMessage; body: Buffer }> => {
      const message = await services.readMail(live.session, { id, marksRead: true });
      return { message, body: await toBody(context, live, message) };
    };
    return { body: await cacheAnswer(services, live, { id, work }) };
  },
});

export const peekMailOperation = sessionOperation({
  name: 'peekMail',
  tag: 'Mail',
  method: 'GET',
  path: '/peek-mail',
  summary: 'Read one message and leave it unread',
  description: 'Answers like `/read-mail`, which never marks a message read through a share.',
  parameters: { id: messageIdParameter },
  answers: success({ message: fullMessage }),
  example: { status: 'success', message: messageExample },
  errors: ['message_not_found'],
  async run(context, { live, parameters: { id } }): Promise<Answer> {
    const { services } = context;
    const cached = await findCachedAnswer(services, live, id);
    if (cached) return { body: cached };
    return { body: await toBody(context, live, await services.peekMail(live.session, id)) };
  },
});

function toBody(context: OperationContext, live: LiveSession, message: FullMessage): Promise<Buffer> {
  return writeSuccess('message', toFullMessage(message, live, context));
}
