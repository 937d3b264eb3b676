// GET /events: the session's log as Server-Sent Events, resumed where the client left off.

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { Share } from '../../domain/share.ts';
import { createMatcher } from '../../service/search/message-filter.ts';
import type { Services } from '../../service/services.ts';
import { type OpenSession, requireStillLive } from '../../service/session/session-access.ts';
import { createEventStream, eventStreamHeaders, parseEventId } from './event-stream.ts';
import { sessionOperation } from '../operation.ts';
import { filterParameters, toFilter } from './filter-parameters.ts';

export const streamEventsOperation = sessionOperation({
  name: 'streamEvents',
  tag: 'Events',
  method: 'GET',
  path: '/events',
  summary: 'Stream the session’s events',
  description:
    'Server-Sent Events: `message.received` with the message as check-mail lists it, `message.deleted`, ' +
    '`message.dropped` when a capture session makes room by itself, `message.read` and `message.unread` when a mark ' +
    'changes, by reading or by mark-mail, ' +
    '`session.extended`, `session.renamed`, and `session.expired` as the last. The id of an event is its place in the ' +
    'log: with `Last-Event-ID` (which browsers send by themselves) or `after`, the stream resumes there, with no gap and no ' +
    'repeat; without them it starts now. A message deleted before it was sent is left out, and its id with it. An id that ' +
    'is not in the log causes one `reset`: list again. ' +
    'Filters apply to `message.received` only; all other events are always sent.',
  parameters: {
    after: {
      kind: 'int',
      min: 0,
      max: Number.MAX_SAFE_INTEGER,
      description: 'Id of the last event seen; 0 for all. `Last-Event-ID` takes precedence.',
    },
    ...filterParameters,
  },
  answers: 'text/event-stream',
  requestHeaders: { 'Last-Event-ID': 'Id of the last event seen; takes precedence over `after`.' },
  responseHeaders: {
    'Last-Event-ID': 'Where the stream begins: resume there if it breaks before the first event.',
  },
  errors: ['too_many_streams', 'read_only'],
  takesShare: true,
  run({ services, onFault, onEvent }, { live: { session }, parameters, share, lastEventId, caller }) {
    // Its places in the log would tell of other messages.
    if (share && share.messageId !== null) {
      throw new MayflyError('read_only', 'A share of one message has no event stream.', {
        parameter: 'token',
      });
    }
    services.expectMail(session);
    const filter = toFilter(parameters);
    const position = parseEventId(lastEventId) ?? parameters.after ?? session.seq;
    const body = createEventStream({
      services,
      session,
      position,
      onFault,
      network: caller.network,
      ...(onEvent ? { onEvent } : {}),
      matcher: filter && createMatcher(filter),
      confirmGuest: share && (() => confirmGuest(services, session, share)),
    });
    return { headers: eventStreamHeaders(position), body };
  },
});

/** Whether the session is still live, the log tells. @throws MayflyError unknown_token, session_expired */
async function confirmGuest(
  services: Pick<Services, 'findSession' | 'confirmShare'>,
  session: OpenSession,
  share: Share,
): Promise<void> {
  const lookup = await services.findSession(session.key);
  if (lookup.state === 'live') await services.confirmShare(requireStillLive(lookup, session), share);
}
