// `mayfly webhook dead`: lists webhooks that were given up, and retries them.

import { MayflyError } from '../domain/mayfly-error.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import { count, type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const deadListed = 1000;
const idPattern = '^(?:all|[1-9]\\d{0,14})$';

const list = operatorCommand({
  method: 'GET',
  path: '/admin/dead-webhooks',
  words: 'webhook dead list',
  help: 'list webhooks that were given up',
  parameters: {},
  async run({ operator }) {
    const dead = await operator.jobs.listDead(deadListed);
    return {
      dead_webhooks: dead.map((one) => ({
        id: one.rowId,
        endpoint_id: one.endpointId,
        event: one.kind,
        happened_at: toTime(one.at),
        happened_at_ms: one.at,
        given_up_at: toTime(one.deadAt),
        given_up_at_ms: one.deadAt,
        tries: one.attempts,
        reason: one.reason,
      })),
    };
  },
  print({ dead_webhooks: dead }) {
    if (dead.length === 0) return ['No dead webhooks.'];
    const rows = dead.map((one) => [
      String(one.id),
      String(one.endpoint_id),
      one.event,
      new Date(one.happened_at_ms).toISOString(),
      new Date(one.given_up_at_ms).toISOString(),
      String(one.tries),
      one.reason,
    ]);
    return formatTable([['ID', 'ENDPOINT', 'EVENT', 'HAPPENED', 'GIVEN UP', 'TRIES', 'REASON'], ...rows]);
  },
});

const replay = operatorCommand({
  method: 'POST',
  path: '/admin/replay-webhook',
  words: 'webhook dead replay',
  help: 'send them again',
  parameters: {
    id: {
      kind: 'text',
      required: true,
      pattern: idPattern,
      description: 'its id, or `all`',
      operand: 'ID|all',
    },
  },
  async run({ operator }, { id }) {
    if (!new RegExp(idPattern).test(id)) {
      throw new MayflyError('invalid_parameter', '`id` must be an id or `all`.', { parameter: 'id' });
    }
    const replayed = await operator.jobs.replayDead(id === 'all' ? id : Number(id));
    if (replayed === 0 && id !== 'all') throw new OperatorError(`There is no dead webhook ${id}.`);
    return { replayed };
  },
  changes: ({ id }) => id,
  print: ({ replayed }) => [`${count(replayed, 'webhook is', 'webhooks are')} due again.`],
});

export const webhooks: Noun = {
  word: 'webhook',
  takes: 'dead list, dead replay ID or dead replay all',
  commands: [list, replay],
};
