// GET /events: the session's log as Server-Sent Events, resumed where the client left off.

import { createMatcher } from '../../service/message-filter.ts';
import { createEventStream, eventStreamHeaders, parseEventId } from '../event-stream.ts';
import { sessionOperation } from '../operation.ts';
import { filterParameters, toFilter } from './filter-parameters.ts';

export const streamEventsOperation = sessionOperation({
  name: 'streamEvents',
  method: 'GET',
  path: '/events',
  summary: 'Stream the session’s events',
  description:
    'Server-Sent Events: `message.received` with the message as check-mail lists it, `message.deleted`, ' +
    '`message.dropped` when a capture session makes room by itself, `message.read` and `message.unread` by mark-mail, ' +
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
  errors: ['too_many_streams'],
  run({ services, onFault, onEvent }, { live: { session }, parameters, lastEventId, caller }) {
    services.expectMail(session);
    const filter = toFilter(parameters);
    const position = parseEventId(lastEventId) ?? parameters.after ?? session.seq;
    const body = createEventStream({
      ...{ services, key: session.key, position, onFault, network: caller.network },
      ...(onEvent ? { onEvent } : {}),
      matcher: filter && createMatcher(filter),
    });
    return { headers: eventStreamHeaders(position), body };
  },
});
