// Operations on block lists for operators, by the CLI and the admin interface. Values are untrusted text.

import type { BlockKind, BlockStore } from '../../store/block-store.ts';
import { describeBlockValue, parseBlockValue } from './block-value.ts';
import { OperatorError } from './operator-error.ts';

export interface ManageBlocksDeps {
  readonly blocks: BlockStore;
  /** Called when the lists in force have changed. */
  readonly onBlocksChanged: () => Promise<void>;
}

export interface BlockRequest {
  readonly kind: string;
  readonly value: string;
}

const kinds: readonly BlockKind[] = ['sender', 'prefix', 'network'];
const blocksMax = 100_000;
const noteMaxLength = 200;

/** Returns the block in its normalised form. @throws OperatorError */
export async function addBlock(
  deps: ManageBlocksDeps,
  request: BlockRequest & { readonly note: string },
): Promise<{ kind: BlockKind; value: string }> {
  const block = parseBlock(request);
  if (request.note.length > noteMaxLength || /\p{Cc}/u.test(request.note)) {
    throw new OperatorError(`A note is one line of at most ${noteMaxLength} characters.`);
  }
  if ((await deps.blocks.listBlocks()).length >= blocksMax) {
    throw new OperatorError(`There are ${blocksMax} blocks: no more are kept.`);
  }
  await deps.blocks.addBlock(block.kind, block.value, request.note);
  await deps.onBlocksChanged();
  return block;
}

/** Returns the block in its normalised form. @throws OperatorError */
export async function removeBlock(
  deps: ManageBlocksDeps,
  request: BlockRequest,
): Promise<{ kind: BlockKind; value: string }> {
  const block = parseBlock(request);
  if (!(await deps.blocks.removeBlock(block.kind, block.value))) {
    throw new OperatorError(`The ${block.kind} ${block.value} is not blocked.`);
  }
  await deps.onBlocksChanged();
  return block;
}

function parseBlock(request: BlockRequest): { kind: BlockKind; value: string } {
  const kind = kinds.find((one) => one === request.kind);
  if (!kind) throw new OperatorError(`A block is of a ${kinds.join(', a ')}.`);
  const value = request.value.length > 300 ? undefined : parseBlockValue(kind, request.value);
  if (value !== undefined) return { kind, value };
  throw new OperatorError(
    `${JSON.stringify(request.value.slice(0, 80))} is not ${describeBlockValue(kind)}.`,
  );
}
