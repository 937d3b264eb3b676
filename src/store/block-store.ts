// The port to the operator's block lists of senders, prefixes and networks. Small enough to be read whole into memory
// (src/service/operating/block-list.ts). Every implementation passes test/contract/ports/blocks.ts.

export type BlockKind = 'sender' | 'prefix' | 'network';

export interface Block {
  readonly kind: BlockKind;
  /** Normalised by src/service/operating/manage-blocks.ts. */
  readonly value: string;
  /** The operator's remark, possibly empty. */
  readonly note: string;
  /** ms since 1970, on the store's clock. */
  readonly createdAt: number;
}

export interface BlockStore {
  /** Adding an existing block only changes its note. */
  addBlock(kind: BlockKind, value: string, note: string): Promise<void>;
  /** Resolves with false when there is none. */
  removeBlock(kind: BlockKind, value: string): Promise<boolean>;
  /** By kind, then value. */
  listBlocks(): Promise<Block[]>;
}
