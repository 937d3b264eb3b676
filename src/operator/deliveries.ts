// `mayfly deliveries`: the outcome of the last messages for each address. No content or sender of a message is shown.

import { deliveryOutcomes } from '../service/records/recent-deliveries.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const defaultListed = 100;

const list = operatorCommand({
  method: 'GET',
  path: '/admin/deliveries',
  words: 'deliveries',
  help: 'list the last deliveries to addresses that begin with ADDRESS, from the last day and since the service started',
  parameters: {
    address: {
      kind: 'text',
      description: 'the address or its beginning; all when absent',
      operand: 'ADDRESS',
    },
    outcome: {
      kind: 'choice',
      values: deliveryOutcomes,
      description: 'only deliveries that were accepted, deferred (for a retry), refused or discarded',
      option: { name: 'outcome' },
    },
    limit: {
      kind: 'int',
      min: 1,
      max: 1000,
      description: `the most to list; ${defaultListed} when absent`,
    },
  },
  run({ operator: { deliveries } }, { address = '', outcome, limit = defaultListed }) {
    const filter = { address: address.trim().toLowerCase(), outcome, limit };
    return Promise.resolve({
      since: toTime(deliveries?.since),
      deliveries: (deliveries?.list(filter) ?? []).map((delivery) => ({
        at: toTime(delivery.at),
        address: delivery.address,
        outcome: delivery.outcome,
        reply: delivery.reply,
        size: delivery.sizeBytes,
        remote_ip: delivery.remoteAddress,
        tls: delivery.tls,
      })),
    });
  },
  print({ since, deliveries: found }) {
    if (since === null) return ['No service runs here, and only a running service keeps deliveries.'];
    if (found.length === 0) return [`None since ${since}.`];
    const rows = found.map((one) => [one.at ?? '', one.outcome, one.address, one.remote_ip ?? '', one.reply]);
    return formatTable([['AT', 'OUTCOME', 'ADDRESS', 'FROM', 'REPLY'], ...rows]);
  },
});

export const deliveries: Noun = { word: 'deliveries', commands: [list] };
