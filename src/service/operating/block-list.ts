// The operator's block lists, in memory. Consulted for every connection, sender and new session, and reread from the
// store now and then, since another node may have changed them. A check costs a few look-ups, however long the lists
// are.

import { createNetworkSet } from '#networks/network-set';
import { parseSender, toAddressKey } from '#mail-receiver/address';
import type { Block, BlockKind, BlockStore } from '../../store/block-store.ts';
import { createNewestRead } from './newest-read.ts';

export interface BlockList {
  /** `mailFrom`: the envelope's; null (`<>`) is never blocked. */
  isSenderBlocked(mailFrom: string | null): boolean;
  /** `prefix`: as received. */
  isPrefixBlocked(prefix: string): boolean;
  isNetworkBlocked(address: string): boolean;
  /** Call after a change. */
  reload(): Promise<void>;
  close(): void;
}

export interface BlockListOptions {
  readonly blocks: BlockStore;
  readonly onError: (error: unknown) => void;
}

const reloadMs = 10_000;

export async function createBlockList({ blocks, onError }: BlockListOptions): Promise<BlockList> {
  let lists = toLists([]);
  const reload = createNewestRead(
    () => blocks.listBlocks(),
    (listed) => {
      lists = toLists(listed);
    },
  );
  await reload();
  const timer = setInterval(() => void reload().catch(onError), reloadMs).unref();
  return {
    isSenderBlocked: (mailFrom) =>
      mailFrom !== null && lists.senders.size > 0 && isSenderListed(lists.senders, mailFrom),
    isPrefixBlocked: (prefix) => isPrefixListed(lists, prefix.toLowerCase()),
    isNetworkBlocked: (address) => lists.networks.has(address),
    reload,
    close: () => {
      clearInterval(timer);
    },
  };
}

function toLists(blocks: readonly Block[]) {
  const valuesOf = (kind: BlockKind): string[] =>
    blocks.filter((block) => block.kind === kind).map(({ value }) => value);
  const prefixes = valuesOf('prefix');
  return {
    senders: new Set(valuesOf('sender')),
    prefixes: new Set(prefixes),
    stems: new Set(prefixes.filter((one) => one.endsWith('*')).map((one) => one.slice(0, -1))),
    networks: createNetworkSet(valuesOf('network')),
  };
}

/** Matches the address itself, its domain, or any domain above it. */
function isSenderListed(senders: ReadonlySet<string>, mailFrom: string): boolean {
  const address = parseSender(mailFrom, true);
  if (!address) return false;
  if (senders.has(toAddressKey(address))) return true;
  for (let domain = address.domain; domain !== ''; domain = domain.slice(domain.indexOf('.') + 1)) {
    if (senders.has(domain)) return true;
    if (!domain.includes('.')) return false;
  }
  return false;
}

function isPrefixListed({ prefixes, stems }: ReturnType<typeof toLists>, prefix: string): boolean {
  if (prefixes.has(prefix)) return true;
  if (stems.size === 0) return false;
  for (let length = 1; length <= Math.min(prefix.length, 40); length++) {
    if (stems.has(prefix.slice(0, length))) return true;
  }
  return false;
}
