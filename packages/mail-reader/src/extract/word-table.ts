// Flat tables of a fixed word list, with which word-matcher finds all words in one pass (Aho and Corasick, CACM 18(6),
// 1975). Building them takes a third of a second for the keywords of all languages, so bundlers of this package may
// store the result of keyword-tables.

/** A word of the list; `open*`: whether letters may continue it there. */
export interface Word<T> {
  text: string;
  openStart: boolean;
  openEnd: boolean;
  tag: T;
}

/** Only arrays of numbers and plain data, so that it can be stored in a file. */
export interface WordTable<T> extends EdgeTable, Outputs {
  /** Numbers of the code units that occur in words, from 1 on; 0 for all others. */
  readonly letters: Uint16Array;
  /** By node: the first of the words that end there; those of the next node follow. */
  readonly firstWords: Int32Array;
  /** By word. */
  readonly lengths: Uint16Array;
  /** By word: `openAtStart` and `openAtEnd`. */
  readonly openings: Uint8Array;
  /** By word: the index of its tag. */
  readonly tagPlaces: Uint16Array;
  readonly tags: readonly T[];
}

export const openAtStart = 1;
export const openAtEnd = 2;

/** Room for the distinct letters of all words. Keeps edge keys small integers, which are several times faster. */
const alphabet = 0x1000;

/** The words as a tree of letters. Nodes are numbered in order of creation, each after its parent; the root is 0. */
interface Trie<T> {
  /** Numbers of the code units that occur in words, from 1 on; 0 for all others. */
  readonly letters: Uint16Array;
  letterCount: number;
  /** By node: the origin and letter of its edge, and its distance from the root. */
  readonly parents: Int32Array;
  readonly edgeLetters: Uint16Array;
  readonly depths: Uint16Array;
  nodeCount: number;
  /** By node: the words that end there. */
  readonly words: Map<number, Word<T>[]>;
}

export function tabulateWords<T>(words: readonly Word<T>[]): WordTable<T> {
  const trie = plant(words);
  const table = tabulate(trie);
  return { ...table, ...linkFailures(trie, table), letters: trie.letters, ...listWords(trie) };
}

type WordColumns<T> = Pick<WordTable<T>, 'firstWords' | 'lengths' | 'openings' | 'tagPlaces' | 'tags'>;

/** Lists the words in order of their final nodes. */
function listWords<T>({ nodeCount, words }: Trie<T>): WordColumns<T> {
  const firstWords = new Int32Array(nodeCount + 1);
  const listed: Word<T>[] = [];
  for (let node = 0; node < nodeCount; node++) {
    firstWords[node] = listed.length;
    listed.push(...(words.get(node) ?? []));
  }
  firstWords[nodeCount] = listed.length;
  const places = new Map<string, number>();
  const tags: T[] = [];
  const tagPlaces = listed.map(({ tag }) => {
    const name = JSON.stringify(tag);
    const known = places.get(name);
    if (known !== undefined) return known;
    places.set(name, tags.length);
    return tags.push(tag) - 1;
  });
  return {
    firstWords,
    lengths: Uint16Array.from(listed, ({ text }) => text.length),
    openings: Uint8Array.from(
      listed,
      ({ openStart, openEnd }) => (openStart ? openAtStart : 0) | (openEnd ? openAtEnd : 0),
    ),
    tagPlaces: Uint16Array.from(tagPlaces),
    tags,
  };
}

function plant<T>(words: readonly Word<T>[]): Trie<T> {
  const nodesMax = words.reduce((sum, { text }) => sum + text.length, 1);
  const trie: Trie<T> = {
    letters: new Uint16Array(0x10000),
    letterCount: 0,
    nodeCount: 1,
    words: new Map(),
    parents: new Int32Array(nodesMax),
    edgeLetters: new Uint16Array(nodesMax),
    depths: new Uint16Array(nodesMax),
  };
  const edges = createTable(nodesMax);
  for (const word of words) insert(trie, edges, word);
  return trie;
}

function insert<T>(trie: Trie<T>, edges: EdgeTable, word: Word<T>): void {
  let node = 0;
  for (let i = 0; i < word.text.length; i++) {
    const letter = letterOf(trie, word.text.charCodeAt(i));
    const at = findSlot(edges, keyOf(node, letter));
    if (edges.keys[at] === -1) {
      const child = trie.nodeCount++;
      edges.keys[at] = keyOf(node, letter);
      edges.nodes[at] = child;
      trie.parents[child] = node;
      trie.edgeLetters[child] = letter;
      trie.depths[child] = i + 1;
    }
    node = edges.nodes[at] ?? 0;
  }
  const ending = trie.words.get(node);
  if (ending) ending.push(word);
  else trie.words.set(node, [word]);
}

function letterOf<T>(trie: Trie<T>, unit: number): number {
  const known = trie.letters[unit] ?? 0;
  if (known > 0) return known;
  if (trie.letterCount >= alphabet - 1) throw new Error('the words have too many different letters');
  trie.letterCount++;
  trie.letters[unit] = trie.letterCount;
  return trie.letterCount;
}

/** Where words end at a node, the longest first: a chain of nodes that ends with the root. */
interface Outputs {
  /** By node: itself if a word ends there, else as `shorter`. */
  readonly longest: Int32Array;
  /** By node: the next in its chain. */
  readonly shorter: Int32Array;
}

function linkFailures<T>(trie: Trie<T>, table: EdgeTable): Outputs {
  const longest = new Int32Array(trie.nodeCount);
  const shorter = new Int32Array(trie.nodeCount);
  // A node's fail link needs those of all nodes nearer to the root.
  for (const node of sortByDepth(trie)) {
    const parent = trie.parents[node] ?? 0;
    const fail = parent === 0 ? 0 : follow(table, table.fail[parent] ?? 0, trie.edgeLetters[node] ?? 0);
    table.fail[node] = fail;
    shorter[node] = longest[fail] ?? 0;
    longest[node] = trie.words.has(node) ? node : (longest[fail] ?? 0);
  }
  return { longest, shorter };
}

/** Returns all nodes but the root. */
function sortByDepth<T>({ depths, nodeCount }: Trie<T>): Int32Array {
  const starts = new Int32Array(0x10001);
  for (let node = 1; node < nodeCount; node++) count(starts, (depths[node] ?? 0) + 1, 1);
  for (let depth = 1; depth < starts.length; depth++) count(starts, depth, starts[depth - 1] ?? 0);
  const sorted = new Int32Array(nodeCount - 1);
  for (let node = 1; node < nodeCount; node++) {
    const depth = depths[node] ?? 0;
    sorted[starts[depth] ?? 0] = node;
    count(starts, depth, 1);
  }
  return sorted;
}

function count(counts: Int32Array, at: number, more: number): void {
  counts[at] = (counts[at] ?? 0) + more;
}

/** The edges as a flat table with open addressing, twice as fast as a Map of this size. */
interface EdgeTable {
  keys: Int32Array;
  nodes: Int32Array;
  /** Where to continue from a node without an edge for the letter; the root until it is linked. */
  fail: Int32Array;
  shift: number;
}

/** Makes room for this many edges, each found in a step or two. */
function createTable(edgeCount: number): EdgeTable {
  const bits = Math.ceil(Math.log2(edgeCount + 1)) + 1;
  const keys = new Int32Array(2 ** bits).fill(-1);
  return { keys, nodes: new Int32Array(2 ** bits), fail: new Int32Array(edgeCount + 1), shift: 32 - bits };
}

/** As small as the number of nodes permits, which makes searching faster. */
function tabulate<T>({ parents, edgeLetters, nodeCount }: Trie<T>): EdgeTable {
  const table = createTable(nodeCount - 1);
  for (let node = 1; node < nodeCount; node++) {
    const key = keyOf(parents[node] ?? 0, edgeLetters[node] ?? 0);
    const at = findSlot(table, key);
    table.keys[at] = key;
    table.nodes[at] = node;
  }
  return table;
}

/** Returns where the key is, or belongs. */
function findSlot({ keys, shift }: EdgeTable, key: number): number {
  let at = hash(key) >>> shift;
  while (keys[at] !== key && keys[at] !== -1) at = (at + 1) & (keys.length - 1);
  return at;
}

/** Returns the edge from a node for a letter as one number. */
export function keyOf(node: number, letter: number): number {
  return node * alphabet + letter;
}

export function hash(key: number): number {
  return Math.imul(key, 0x9e3779b1);
}

/** Returns where the letter leads from a node; the root if nowhere. */
export function follow({ keys, nodes, fail, shift }: EdgeTable, from: number, letter: number): number {
  const mask = keys.length - 1;
  let node = from;
  for (;;) {
    const key = keyOf(node, letter);
    let at = hash(key) >>> shift;
    while (keys[at] !== key && keys[at] !== -1) at = (at + 1) & mask;
    if (keys[at] === key) return nodes[at] ?? 0;
    if (node === 0) return 0;
    node = fail[node] ?? 0;
  }
}
