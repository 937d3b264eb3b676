// /admin: sessions, as far as an operator sees them. No token, and nothing of a message but counts.

import { endSessionOf, findSessions, foundMax } from '../../service/find-sessions.ts';
import { jsonAnswer } from '../answer.ts';
import { type AdminOperation, adminOperation } from './admin-operation.ts';
import { toTime } from './to-time.ts';

const defaultFound = 100;

const findSessionsOperation = adminOperation({
  method: 'GET',
  path: '/admin/sessions',
  summary: 'Live sessions whose address begins so',
  parameters: {
    address: { kind: 'text', description: 'The address or its beginning; all when absent.' },
    limit: {
      kind: 'int',
      min: 1,
      max: foundMax,
      description: `Most in the answer; ${defaultFound} when absent.`,
    },
  },
  async run({ operator }, { address = '', limit = defaultFound }) {
    const [live, found] = await Promise.all([
      operator.finder.countLive(),
      findSessions(operator, address, limit),
    ]);
    return jsonAnswer({
      live,
      sessions: found.map((session) => ({
        email: session.address,
        created_at: toTime(session.createdAt),
        expires_at: toTime(session.expiresAt),
        message_count: session.messageCount,
        message_bytes: session.messageBytes,
      })),
    });
  },
});

const endSessionOperation = adminOperation({
  method: 'POST',
  path: '/admin/end-session',
  summary: 'End the live session that holds an address',
  parameters: { address: { kind: 'text', required: true, description: 'The whole address.' } },
  run: async ({ operator }, { address }) => jsonAnswer({ email: await endSessionOf(operator, address) }),
});

export const sessionOperations: readonly AdminOperation[] = [findSessionsOperation, endSessionOperation];
