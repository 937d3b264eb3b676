// Finds every word of a fixed list in a text in one pass (Aho and Corasick, CACM 18(6), 1975).
// Used for the keyword lists of all languages at once. Knows nothing of what the words mean.

/** One word of the list: `open*` says that letters may go on there. */
export interface Word<T> {
  text: string;
  openStart: boolean;
  openEnd: boolean;
  tag: T;
}

export interface WordHit<T> {
  start: number;
  end: number;
  tag: T;
}

export interface WordMatcher<T> {
  /** Hits whose tag is wanted, in order of their end; several may overlap. At most `limit` of them. */
  find(folded: string, limit: number, isWanted?: (tag: T) => boolean): WordHit<T>[];
}

/** Room for the distinct letters of all words. Keys of edges stay small integers, which are several times faster. */
const ALPHABET = 0x1000;
const SPACED_LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Nd}]/u;

const ARABIC_LETTER = /[\u0620-\u064a\u066e-\u06d3]/;
const ATTACHED_HEAD = /(?:^|[^\u0620-\u064a\u066e-\u06d3])[وفبکل]?(?:ال|لل|[وفبکل])?$/;

interface Trie<T> {
  /** Number of each code unit that occurs in a word, from 1 on; 0 for all others. */
  letters: Uint16Array;
  letterCount: number;
  edges: Map<number, number>;
  words: Word<T>[][];
}

export function createWordMatcher<T>(words: readonly Word<T>[]): WordMatcher<T> {
  const letters = new Uint16Array(0x10000);
  const trie: Trie<T> = { letters, letterCount: 0, edges: new Map(), words: [[]] };
  for (const word of words) insert(trie, word);
  const table = tabulate(trie);
  linkFailures(trie, table);
  // Neither the edges are kept, which the table has, nor a list for each of many nodes where no word ends.
  const none: readonly Word<T>[] = [];
  const ends = trie.words.map((list) => (list.length === 0 ? none : list));
  const finished = { words: ends, letters: trie.letters, table };
  return { find: (folded, limit, isWanted) => search(finished, folded, { limit, isWanted }) };
}

function insert<T>(trie: Trie<T>, word: Word<T>): void {
  let node = 0;
  for (let i = 0; i < word.text.length; i++) {
    const key = node * ALPHABET + letterOf(trie, word.text.charCodeAt(i));
    let next = trie.edges.get(key);
    if (next === undefined) {
      next = trie.words.length;
      trie.words.push([]);
      trie.edges.set(key, next);
    }
    node = next;
  }
  trie.words[node]?.push(word);
}

function letterOf<T>(trie: Trie<T>, unit: number): number {
  const known = trie.letters[unit] ?? 0;
  if (known > 0) return known;
  if (trie.letterCount >= ALPHABET - 1) throw new Error('the words have too many different letters');
  trie.letterCount++;
  trie.letters[unit] = trie.letterCount;
  return trie.letterCount;
}

function linkFailures<T>(trie: Trie<T>, table: EdgeTable): void {
  // Edges were added parent first, but a node's fail link needs all shallower nodes: walk by depth.
  const children = new Map<number, [number, number][]>();
  for (const [key, child] of trie.edges) {
    const parent = Math.floor(key / ALPHABET);
    const list = children.get(parent);
    if (list) list.push([key % ALPHABET, child]);
    else children.set(parent, [[key % ALPHABET, child]]);
  }
  const queue = [0];
  for (let at = 0; at < queue.length; at++) {
    const parent = queue[at] ?? 0;
    for (const [letter, child] of children.get(parent) ?? []) {
      const fail = parent === 0 ? 0 : follow(table, table.fail[parent] ?? 0, letter);
      table.fail[child] = fail;
      trie.words[child] = [...(trie.words[child] ?? []), ...(trie.words[fail] ?? [])];
      queue.push(child);
    }
  }
}

/** The edges as a flat table with open addressing: half the time of a Map of this size. */
interface EdgeTable {
  keys: Int32Array;
  nodes: Int32Array;
  /** Where to go on from a node without an edge for the letter; the root until it is linked. */
  fail: Int32Array;
  shift: number;
}

function tabulate<T>({ edges, words }: Trie<T>): EdgeTable {
  const bits = Math.ceil(Math.log2(edges.size + 1)) + 1;
  const keys = new Int32Array(2 ** bits).fill(-1);
  const nodes = new Int32Array(2 ** bits);
  const table = { keys, nodes, fail: new Int32Array(words.length), shift: 32 - bits };
  for (const [key, node] of edges) {
    let at = hash(key) >>> table.shift;
    while (keys[at] !== -1) at = (at + 1) & (keys.length - 1);
    keys[at] = key;
    nodes[at] = node;
  }
  return table;
}

function hash(key: number): number {
  return Math.imul(key, 0x9e3779b1);
}

function follow({ keys, nodes, fail, shift }: EdgeTable, from: number, letter: number): number {
  const mask = keys.length - 1;
  let node = from;
  for (;;) {
    const key = node * ALPHABET + letter;
    let at = hash(key) >>> shift;
    while (keys[at] !== key && keys[at] !== -1) at = (at + 1) & mask;
    if (keys[at] === key) return nodes[at] ?? 0;
    if (node === 0) return 0;
    node = fail[node] ?? 0;
  }
}

/** What a search needs of a trie. */
interface FinishedTrie<T> {
  /** Of each node: the words that end there. */
  words: readonly (readonly Word<T>[])[];
  letters: Uint16Array;
  table: EdgeTable;
}

function search<T>(
  { words, letters, table }: FinishedTrie<T>,
  folded: string,
  { limit, isWanted }: { limit: number; isWanted: ((tag: T) => boolean) | undefined },
): WordHit<T>[] {
  const hits: WordHit<T>[] = [];
  let node = 0;
  for (let i = 0; i < folded.length && hits.length < limit; i++) {
    const letter = letters[folded.charCodeAt(i)] ?? 0;
    if (letter === 0) {
      node = 0;
      continue;
    }
    node = follow(table, node, letter);
    for (const word of words[node] ?? []) {
      if (isWanted && !isWanted(word.tag)) continue;
      const start = i + 1 - word.text.length;
      if (!word.openStart && (isJoined(folded, start - 1, start) || hasForeignHead(folded, start))) continue;
      if (!word.openEnd && (isJoined(folded, i, i + 1) || hasForeignTail(folded, i + 1))) continue;
      hits.push({ start, end: i + 1, tag: word.tag });
    }
  }
  return hits;
}

// Arabic script attaches particles before a word and endings after it: three letters at most, some only.
function hasForeignHead(text: string, start: number): boolean {
  if (!ARABIC_LETTER.test(text.charAt(start)) || !ARABIC_LETTER.test(text.charAt(start - 1))) return false;
  const before = text.slice(Math.max(0, start - 5), start);
  return !ATTACHED_HEAD.test(before);
}

function hasForeignTail(text: string, end: number): boolean {
  if (!ARABIC_LETTER.test(text.charAt(end - 1))) return false;
  for (let i = end; i < end + 4; i++) if (!ARABIC_LETTER.test(text.charAt(i))) return false;
  return true;
}

// Scripts written without spaces (Chinese, Japanese, Korean with its particles) have no word border to respect.
function isJoined(text: string, left: number, right: number): boolean {
  return (
    SPACED_LETTER.test(text.charAt(left)) &&
    SPACED_LETTER.test(text.charAt(right)) &&
    !isDigitEdge(text, left, right)
  );
}

function isDigitEdge(text: string, left: number, right: number): boolean {
  return isDigit(text.charCodeAt(left)) !== isDigit(text.charCodeAt(right));
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}
