// GET /wait-mail: one request instead of a loop of check-mail and read-mail.

import { requireStillLive } from '../../service/session/session-access.ts';
import { jsonAnswer, writeSuccess } from '../answers/success.ts';
import { sessionOperation } from '../operation.ts';
import { messageExample } from './examples.ts';
import { fullMessage } from '../views/full-message-schema.ts';
import { filterParameters, toFilter } from './filter-parameters.ts';
import { toFullMessage } from '../views/full-message.ts';
import { orNull, success } from '../views/schemas.ts';

const defaultTimeoutSeconds = 60;

export const waitMailOperation = sessionOperation({
  name: 'waitMail',
  tag: 'Mail',
  method: 'GET',
  path: '/wait-mail',
  summary: 'Wait for a message that matches, and read it',
  description:
    'Answers with the oldest match like read-mail, code and links ready to use, or with `message: null` when the ' +
    'time is up. Messages that are already there count. Texts match anywhere and in any case. While the server ' +
    'shuts down, the answer is 503 at once; retry then.',
  parameters: {
    ...filterParameters,
    contains: {
      kind: 'text',
      maxLength: 200,
      description: 'Part of the subject, of the readable text or of the name of an attachment.',
    },
    timeout: { kind: 'int', min: 0, max: 120, description: 'Seconds to wait; 60 when absent.' },
    after: {
      kind: 'int',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Only messages with a greater id.',
    },
  },
  answers: success({ message: orNull(fullMessage) }),
  example: { status: 'success', message: messageExample },
  errors: ['message_not_found', 'too_many_streams'],
  async run({ services, basePath }, { live, parameters, caller, isHead }) {
    const { contains, after } = parameters;
    const message = await services.waitMail(live.session, {
      filter: { ...toFilter(parameters), contains },
      marksRead: !isHead,
      after,
      timeoutMs: (parameters.timeout ?? defaultTimeoutSeconds) * 1000,
      asker: caller,
    });
    if (!message) return jsonAnswer({ message: null });
    // Tickets begin now, not when the wait began. The read mark need not be on disk: the answer has none of its numbers.
    const now = requireStillLive(await services.findSession(live.session.key, 'committed'), live.session);
    return { body: await writeSuccess('message', toFullMessage(message, now, { services, basePath })) };
  },
});
