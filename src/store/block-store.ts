// The port to the operator's block lists: who may not send, what may not be asked for, and from where. Few enough to be
// read whole into memory (src/service/block-list.ts). Every implementation passes test/contract/ports/blocks.ts.

export type BlockKind = 'sender' | 'prefix' | 'network';

export interface Block {
  readonly kind: BlockKind;
  /** In the spelling of src/service/block-value.ts. */
  readonly value: string;
  /** The operator's own words, maybe empty. */
  readonly note: string;
  /** ms since 1970, on the store's clock. */
  readonly createdAt: number;
}

export interface BlockStore {
  /** Adding again changes the note and nothing else. */
  addBlock(kind: BlockKind, value: string, note: string): Promise<void>;
  /** False when there is none. */
  removeBlock(kind: BlockKind, value: string): Promise<boolean>;
  /** By kind, then value. */
  listBlocks(): Promise<Block[]>;
}
