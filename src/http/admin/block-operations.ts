// /admin: block lists.

import { addBlock, removeBlock } from '../../service/manage-blocks.ts';
import { jsonAnswer } from '../answer.ts';
import { type AdminOperation, adminOperation } from './admin-operation.ts';
import { toTime } from './to-time.ts';

const block = {
  kind: { kind: 'text', required: true, description: '`sender`, `prefix` or `network`.' },
  value: {
    kind: 'text',
    required: true,
    description:
      'An address or a domain with its subdomains; a prefix, with `*` at its end all that begin so; an IP address or ' +
      'a block.',
  },
} as const;

const listBlocksOperation = adminOperation({
  method: 'GET',
  path: '/admin/blocks',
  summary: 'What is blocked',
  parameters: {},
  async run({ operator }) {
    const blocks = await operator.blocks.listBlocks();
    return jsonAnswer({
      blocks: blocks.map(({ kind, value, note, createdAt }) => ({
        ...{ kind, value, note },
        created_at: toTime(createdAt),
      })),
    });
  },
});

const addBlockOperation = adminOperation({
  method: 'POST',
  path: '/admin/add-block',
  summary: 'Block a sender, a prefix or a network',
  parameters: { ...block, note: { kind: 'text', description: 'Why; for the operator.' } },
  run: async ({ operator }, { kind, value, note = '' }) =>
    jsonAnswer(await addBlock(operator, { kind, value, note })),
});

const removeBlockOperation = adminOperation({
  method: 'POST',
  path: '/admin/remove-block',
  summary: 'Lift a block',
  parameters: block,
  run: async ({ operator }, { kind, value }) => jsonAnswer(await removeBlock(operator, { kind, value })),
});

export const blockOperations: readonly AdminOperation[] = [
  listBlocksOperation,
  addBlockOperation,
  removeBlockOperation,
];
