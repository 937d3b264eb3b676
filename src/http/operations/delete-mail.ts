// POST /delete-mail and POST /mark-mail: one message by its id, or all that match.

import { Type } from '#http-parts/json-schema';

import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ParameterTable, ParameterValues } from '#values/parameter';
import type { MessageFilter } from '../../service/search/message-filter.ts';
import { messageNotFound } from '../../domain/gone.ts';
import { jsonAnswer } from '../answers/success.ts';
import { type Operation, sessionOperation } from '../operation.ts';
import { filterParameters, toFilter } from './filter-parameters.ts';
import { idParameter } from './parameters.ts';
import { count, messageId, success } from '../views/schemas.ts';

const whichParameters = {
  id: idParameter('`id` of one message from check-mail.'),
  ids: {
    kind: 'text',
    pattern: '^\\d{1,15}(,\\d{1,15})*$',
    maxLength: 16_000,
    description: 'Several of them, separated by commas: `3,5,8`. Ids without a message are skipped.',
  },
  ...filterParameters,
  all: { kind: 'flag', description: '1: every message, when no filter is given.' },
} as const satisfies ParameterTable;

const affected = {
  ids: Type.Array(messageId('`id` of a message.'), { description: 'Newest first.' }),
  count: count('How many.'),
};

const deleteMailOperation = sessionOperation({
  name: 'deleteMail',
  tag: 'Mail',
  method: 'POST',
  path: '/delete-mail',
  summary: 'Delete one message, or all that match',
  description:
    'With `id`, that message; with `ids`, those of them that exist. Otherwise all messages that match every given filter, ' +
    'or every message with `all=1`. It is no error if none match; `ids` and `count` report the deleted ones.',
  parameters: whichParameters,
  answers: success({
    id: count('The deleted message, the newest of several; 0 for none.'),
    ids: Type.Optional(affected.ids),
    count: Type.Optional(affected.count),
  }),
  example: { status: 'success', id: 1 },
  errors: ['message_not_found'],
  async run({ services }, { live, parameters }) {
    const which = readWhich(parameters);
    if ('id' in which) {
      await services.deleteMail(live.session, which.id);
      return jsonAnswer({ id: which.id });
    }
    const ids =
      'ids' in which
        ? await services.deleteMessages(live.session, which.ids)
        : await services.deleteMatching(live.session, which.filter);
    return jsonAnswer({ id: ids[0] ?? 0, ids, count: ids.length });
  },
});

const markMailOperation = sessionOperation({
  name: 'markMail',
  tag: 'Mail',
  method: 'POST',
  path: '/mark-mail',
  summary: 'Mark messages read or unread',
  description:
    'One by `id`, several by `ids`, or all that match, as in /delete-mail. A change causes an event, `message.read` or ' +
    '`message.unread`, as the change by read-mail does.',
  parameters: {
    ...whichParameters,
    read: { kind: 'flag', required: true, description: '1: read, 0: unread.' },
  },
  answers: success({ read: Type.Boolean(), ...affected }),
  example: { status: 'success', read: false, ids: [1], count: 1 },
  errors: ['message_not_found'],
  async run({ services }, { live, parameters }) {
    const which = readWhich(parameters);
    const ids = await services.markMail(live.session, {
      which: 'id' in which ? { ids: [which.id] } : which,
      isRead: parameters.read,
    });
    if ('id' in which && ids.length === 0) throw messageNotFound();
    return jsonAnswer({ read: parameters.read, ids, count: ids.length });
  },
});

type Which =
  { readonly id: number } | { readonly ids: readonly number[] } | { readonly filter: MessageFilter };

/**
 * Omitting everything must not delete everything.
 * @throws MayflyError missing_parameter, conflicting_parameters, invalid_parameter
 */
function readWhich(given: ParameterValues<typeof whichParameters>): Which {
  const filter = toFilter(given);
  const { id, ids, all } = given;
  if (ids !== undefined) {
    if (id === undefined && !filter && all !== true) return { ids: readIds(ids) };
    throw new MayflyError('conflicting_parameters', 'Give `id`, or `ids`, or filters, or `all=1`.', {
      parameter: 'ids',
    });
  }
  if (id !== undefined && (filter || all === true)) {
    throw new MayflyError('conflicting_parameters', 'Give `id`, or filters, or `all=1`.', {
      parameter: 'id',
    });
  }
  if (id !== undefined) return { id };
  if (filter) return { filter };
  if (all === true) return { filter: {} };
  throw new MayflyError('missing_parameter', 'Give `id`, a filter such as `from`, or `all=1`.', {
    parameter: 'id',
  });
}

/** Newest first. @throws MayflyError invalid_parameter */
function readIds(text: string): number[] {
  if (!/^\d{1,15}(?:,\d{1,15})*$/.test(text)) {
    throw new MayflyError('invalid_parameter', '`ids` must be whole numbers separated by commas.', {
      parameter: 'ids',
    });
  }
  return [...new Set(text.split(',').map(Number))].sort((one, other) => other - one);
}

export const changeOperations: readonly Operation[] = [deleteMailOperation, markMailOperation];
