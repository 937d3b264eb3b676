// `mayfly deliveries`: the outcome of the last messages for each address. Of a message's sender the domain alone is shown,
// of its content nothing.

import { toBlocks } from '../service/records/blockable.ts';
import { deliveryOutcomes, type RecentDelivery } from '../service/records/recent-deliveries.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { logParameters } from './log-parameters.ts';
import { toTime } from './to-time.ts';

const defaultListed = 100;

const list = operatorCommand({
  method: 'GET',
  path: '/admin/deliveries',
  words: 'deliveries',
  help: 'search the last deliveries to this node, from the last day and since the service started',
  parameters: {
    address: {
      kind: 'text',
      description: 'the recipient’s address or its beginning; all when absent',
      operand: 'ADDRESS',
    },
    outcome: {
      kind: 'choice',
      values: deliveryOutcomes,
      description: 'only deliveries that were accepted, deferred (for a retry), refused or discarded',
      option: { name: 'outcome' },
    },
    ...logParameters,
    reply: {
      kind: 'text',
      description: 'a part of the reply, such as 452 or quota',
      option: { name: 'reply', value: 'TEXT' },
      maxLength: 300,
    },
    id: {
      kind: 'text',
      description: 'the id of a message, as in its Received field, or of a connection, as in the log',
      option: { name: 'id', value: 'ID' },
      maxLength: 100,
    },
    limit: {
      kind: 'int',
      min: 1,
      max: 1000,
      description: `the most to list; ${defaultListed} when absent`,
    },
  },
  run({ operator: { deliveries } }, given) {
    const found = deliveries?.list({ ...given, limit: given.limit ?? defaultListed }) ?? [];
    return Promise.resolve({ since: toTime(deliveries?.since), deliveries: found.map(view) });
  },
  print({ since, deliveries: found }) {
    if (since === null) return ['No service runs here, and only a running service keeps deliveries.'];
    if (found.length === 0) return [`None since ${since}.`];
    const rows = found.map((one) => [
      one.at ?? '',
      one.outcome,
      one.address,
      one.remote_ip ?? '',
      one.sender_domain ?? '',
      one.reply,
    ]);
    return formatTable([['AT', 'OUTCOME', 'ADDRESS', 'FROM', 'SENDER AT', 'REPLY'], ...rows]);
  },
});

function view(delivery: RecentDelivery) {
  return {
    at: toTime(delivery.at),
    address: delivery.address,
    outcome: delivery.outcome,
    reply: delivery.reply,
    size: delivery.sizeBytes,
    remote_ip: delivery.remoteAddress,
    networks: toBlocks(delivery.remoteAddress),
    helo: delivery.helo,
    tls: delivery.tls,
    sender_domain: delivery.senderDomain,
    id: delivery.id,
    connection: delivery.connection,
  };
}

export const deliveries: Noun = { word: 'deliveries', commands: [list] };
