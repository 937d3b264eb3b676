// POST /delete-mail

import { jsonAnswer } from '../answer.ts';
import { sessionOperation } from '../operation.ts';
import { messageIdParameter } from './parameters.ts';
import { messageId, success } from './schemas.ts';

export const deleteMailOperation = sessionOperation({
  name: 'deleteMail',
  method: 'POST',
  path: '/delete-mail',
  summary: 'Delete one message',
  parameters: { id: messageIdParameter },
  answers: success({ id: messageId('The message that is gone.') }),
  example: { status: 'success', id: 1 },
  errors: ['message_not_found'],
  async run({ services }, { live, parameters }) {
    await services.deleteMail(live.session, parameters.id);
    return jsonAnswer({ id: parameters.id });
  },
});
