// Operations on block lists for operators, by the CLI and the admin interface. Values are untrusted text, normalised so
// that nothing is listed twice and look-ups are exact. sender: an address, `spam@example.org`, or a domain with its
// subdomains, `example.org`; prefix: a local part that is not given out, `paypal`, or with a final `*` all that begin with
// it; network: an address or a block, `192.0.2.0/24`.

import { parseDomainName, parseSender, toAddressKey } from '#mail-receiver/address';
import { normaliseBlock } from '#networks/network-set';
import type { BlockKind, BlockStore } from '../../store/block-store.ts';
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

/** Returns undefined for an invalid value. */
function parseBlockValue(kind: BlockKind, text: string): string | undefined {
  switch (kind) {
    case 'sender':
      return parseSenderValue(text.trim());
    case 'prefix':
      return /^[a-z0-9._-]{1,40}\*?$/.exec(text.trim().toLowerCase())?.[0];
    case 'network':
      return normaliseBlock(text);
  }
}

function parseSenderValue(text: string): string | undefined {
  if (!text.includes('@')) return parseDomainName(text);
  const address = parseSender(text, true);
  return address && toAddressKey(address);
}

/** Describes valid values, in words that end a sentence. */
function describeBlockValue(kind: BlockKind): string {
  switch (kind) {
    case 'sender':
      return 'an address such as spam@example.org or a domain such as example.org';
    case 'prefix':
      return 'a prefix such as paypal, or paypal* for all that begin with it';
    case 'network':
      return 'an address or a block such as 192.0.2.0/24';
  }
}
