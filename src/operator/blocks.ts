// `mayfly block`: blocked senders, prefixes and networks.

import { addBlock, removeBlock } from '../service/operating/manage-blocks.ts';
import { type Noun, operatorCommand } from './command.ts';
import { formatTable } from './format-table.ts';
import { toTime } from './to-time.ts';

const block = {
  kind: { kind: 'text', required: true, description: 'sender, prefix or network', operand: 'KIND' },
  value: { kind: 'text', required: true, description: 'what is blocked', operand: 'VALUE' },
} as const;

const add = operatorCommand({
  method: 'POST',
  path: '/admin/add-block',
  words: 'block add',
  help:
    'refuse mail from a sender, addresses with a prefix, or a network. KIND VALUE: sender spam@example.org, ' +
    'sender example.org, prefix paypal, prefix paypal*, network 192.0.2.0/24',
  parameters: {
    ...block,
    note: { kind: 'text', description: 'why; for the operator', option: { name: 'note', value: 'TEXT' } },
  },
  run: ({ operator }, { kind, value, note = '' }) => addBlock(operator, { kind, value, note }),
  changes: ({ kind, value }) => `${kind} ${value}`,
  print: ({ kind, value }) => [`The ${kind} ${value} is blocked.`],
});

const list = operatorCommand({
  method: 'GET',
  path: '/admin/blocks',
  words: 'block list',
  help: 'list what is blocked',
  parameters: {},
  async run({ operator }) {
    const blocked = await operator.blocks.listBlocks();
    return {
      blocks: blocked.map(({ kind, value, note, createdAt }) => ({
        kind,
        value,
        note,
        created_at: toTime(createdAt),
      })),
    };
  },
  print({ blocks: blocked }) {
    if (blocked.length === 0) return ['Nothing is blocked.'];
    const rows = blocked.map((one) => [one.kind, one.value, one.created_at ?? '', one.note]);
    return formatTable([['KIND', 'VALUE', 'SINCE', 'NOTE'], ...rows]);
  },
});

const remove = operatorCommand({
  method: 'POST',
  path: '/admin/remove-block',
  words: 'block remove',
  help: 'lift a block',
  parameters: block,
  run: ({ operator }, { kind, value }) => removeBlock(operator, { kind, value }),
  changes: ({ kind, value }) => `${kind} ${value}`,
  print: ({ kind, value }) => [`The ${kind} ${value} is no longer blocked.`],
});

export const blocks: Noun = {
  word: 'block',
  takes: 'list, or add or remove with sender, prefix or network and a VALUE',
  commands: [add, list, remove],
};
