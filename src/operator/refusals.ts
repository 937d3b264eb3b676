// `mayfly refusals`: what was refused before a recipient was accepted, by network, stage and cause.

import { refusalStages } from '#mail-receiver/engine-step';
import { readRefusals } from '../service/records/read-refusals.ts';
import { toBlocks } from '../service/records/blockable.ts';
import type { KeptRefusal } from '../store/refusal-store.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { logParameters } from './log-parameters.ts';
import { toTime } from './to-time.ts';

const defaultListed = 100;

const list = operatorCommand({
  method: 'GET',
  path: '/admin/refusals',
  words: 'refusals',
  help: 'search what was refused before a recipient was accepted, by hour, network and cause, for a week',
  parameters: {
    ...logParameters,
    stage: {
      kind: 'choice',
      values: refusalStages,
      description: 'how far it had come: connect, helo, tls, auth, mail, rcpt, or another command',
      option: { name: 'stage' },
    },
    cause: {
      kind: 'text',
      description: 'a part of the name of the reply, such as blocked',
      option: { name: 'cause', value: 'TEXT' },
      maxLength: 100,
    },
    limit: { kind: 'int', min: 1, max: 1000, description: `the most to list; ${defaultListed} when absent` },
  },
  async run({ operator }, given) {
    const found = await readRefusals(operator, { ...given, limit: given.limit ?? defaultListed });
    return { refusals: found.map(view) };
  },
  print({ refusals: found }) {
    if (found.length === 0) return ['None; counts are written once a minute.'];
    const rows = found.map((one) => [
      ...[one.last_at ?? '', String(one.count), one.network, one.stage, one.cause],
      ...[one.remote_ip ?? '', one.helo, one.sender_domain ?? ''],
    ]);
    return formatTable([
      ['LAST AT', 'COUNT', 'NETWORK', 'STAGE', 'CAUSE', 'LAST FROM', 'HELO', 'SENDER AT'],
      ...rows,
    ]);
  },
});

function view({ at, network, stage, cause, count, lastAt, host, helo, sender }: KeptRefusal) {
  return {
    at: toTime(at),
    last_at: toTime(lastAt),
    network,
    stage,
    cause,
    count,
    remote_ip: host,
    networks: toBlocks(host, network),
    helo,
    sender_domain: sender,
  };
}

export const refusals: Noun = { word: 'refusals', commands: [list] };
