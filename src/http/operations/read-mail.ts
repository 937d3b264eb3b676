// GET /read-mail

import { readMail } from '../../service/read-mail.ts';
import { jsonAnswer } from '../answer.ts';
import { sessionOperation } from '../operation.ts';
import { fullMessage } from './full-message-schema.ts';
import { toFullMessage } from './full-message.ts';
import { messageIdParameter } from './parameters.ts';
import { success } from './schemas.ts';

export const readMailOperation = sessionOperation({
  name: 'readMail',
  method: 'GET',
  path: '/read-mail',
  summary: 'Read one message',
  description: 'Marks the message read. Links to attachments carry tickets that are good for five minutes.',
  parameters: { id: messageIdParameter },
  answers: success({ message: fullMessage }),
  errors: ['message_not_found'],
  async run({ deps, basePath }, { live, parameters }) {
    const message = await readMail(deps, live.session, parameters.id);
    return jsonAnswer({ message: toFullMessage(message, live, basePath) });
  },
});
