// `mayfly session`: the part of sessions that operators may see: no token, and only the counts of messages.

import { endSessionOf, findSessions, foundMax } from '../service/operating/find-sessions.ts';
import { count, type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const defaultFound = 100;

const find = operatorCommand({
  method: 'GET',
  path: '/admin/sessions',
  words: 'session find',
  help: 'list live sessions whose address begins with ADDRESS',
  parameters: {
    address: {
      kind: 'text',
      description: 'the address or its beginning; all when absent',
      operand: 'ADDRESS',
    },
    limit: {
      kind: 'int',
      min: 1,
      max: foundMax,
      description: `the most to list; ${defaultFound} when absent`,
    },
  },
  async run({ operator }, { address = '', limit = defaultFound }) {
    const [live, found] = await Promise.all([
      operator.finder.countLive(),
      findSessions(operator, address, limit),
    ]);
    return {
      live,
      sessions: found.map((session) => ({
        email: session.address,
        created_at: toTime(session.createdAt),
        expires_at: toTime(session.expiresAt),
        message_count: session.messageCount,
        message_bytes: session.messageBytes,
      })),
    };
  },
  print({ live, sessions: found }) {
    const first = `${count(live, 'session is', 'sessions are')} live.`;
    if (found.length === 0) return [first, 'No live session has such an address.'];
    const rows = found.map((one) => [
      one.email,
      one.created_at ?? '',
      one.expires_at ?? '',
      String(one.message_count),
      String(one.message_bytes),
    ]);
    const more =
      found.length < defaultFound ? [] : [`At most ${defaultFound} are shown: give more of the address.`];
    return [first, ...formatTable([['ADDRESS', 'MADE', 'ENDS', 'MESSAGES', 'BYTES'], ...rows]), ...more];
  },
});

const end = operatorCommand({
  method: 'POST',
  path: '/admin/end-session',
  words: 'session end',
  help: 'end the session that holds ADDRESS and delete its mail',
  parameters: {
    address: { kind: 'text', required: true, description: 'the whole address', operand: 'ADDRESS' },
  },
  run: async ({ operator }, { address }) => ({ email: await endSessionOf(operator, address) }),
  changes: ({ address }) => address,
  print: ({ email }) => [`The session of ${email} has ended.`],
});

const byDomain = operatorCommand({
  method: 'GET',
  path: '/admin/session-domains',
  words: 'session domains',
  help: 'count live sessions by domain; the counts are at most a minute old',
  parameters: {},
  async run({ operator }) {
    const counts = await operator.sessionCounts.byDomain();
    return {
      domains: counts.map(({ domain, liveSessions }) => ({ domain, live_sessions: liveSessions })),
    };
  },
  print({ domains }) {
    if (domains.length === 0) return ['No session is live.'];
    return formatTable([
      ['DOMAIN', 'LIVE SESSIONS'],
      ...domains.map(({ domain, live_sessions: live }) => [domain, String(live)]),
    ]);
  },
});

export const sessions: Noun = { word: 'session', commands: [find, byDomain, end] };
