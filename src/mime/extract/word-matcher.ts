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
  /** Hits in order of their end; several may overlap. At most `limit` of them. */
  find(folded: string, limit: number): WordHit<T>[];
}

const ALPHABET = 0x10000;
const SPACED_LETTER = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}\p{Nd}]/u;

const ARABIC_LETTER = /[\u0620-\u064a\u066e-\u06d3]/;
const ATTACHED_HEAD = /(?:^|[^\u0620-\u064a\u066e-\u06d3])[وفبکل]?(?:ال|لل|[وفبکل])?$/;

const ASCII = 0x80;
/** So many bits number the steps that are remembered. */
const STEP_BITS = 13;

interface Trie<T> {
  edges: Map<number, number>;
  fail: number[];
  words: Word<T>[][];
  /** The last steps by ASCII letters, most of which are the same ones in every text: node and letter, and where to. */
  stepFrom: Int32Array;
  stepTo: Int32Array;
}

export function createWordMatcher<T>(words: readonly Word<T>[]): WordMatcher<T> {
  const trie: Trie<T> = {
    edges: new Map(),
    fail: [0],
    words: [[]],
    stepFrom: new Int32Array(1 << STEP_BITS).fill(-1),
    stepTo: new Int32Array(1 << STEP_BITS),
  };
  for (const word of words) insert(trie, word);
  linkFailures(trie);
  return { find: (folded, limit) => search(trie, folded, limit) };
}

function insert<T>(trie: Trie<T>, word: Word<T>): void {
  let node = 0;
  for (let i = 0; i < word.text.length; i++) {
    const key = node * ALPHABET + word.text.charCodeAt(i);
    let next = trie.edges.get(key);
    if (next === undefined) {
      next = trie.words.length;
      trie.words.push([]);
      trie.fail.push(0);
      trie.edges.set(key, next);
    }
    node = next;
  }
  trie.words[node]?.push(word);
}

function linkFailures<T>(trie: Trie<T>): void {
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
    for (const [unit, child] of children.get(parent) ?? []) {
      const fail = parent === 0 ? 0 : step(trie, trie.fail[parent] ?? 0, unit);
      trie.fail[child] = fail;
      trie.words[child] = [...(trie.words[child] ?? []), ...(trie.words[fail] ?? [])];
      queue.push(child);
    }
  }
}

function step<T>(trie: Trie<T>, from: number, unit: number): number {
  let node = from;
  for (;;) {
    const next = trie.edges.get(node * ALPHABET + unit);
    if (next !== undefined) return next;
    if (node === 0) return 0;
    node = trie.fail[node] ?? 0;
  }
}

/** As `step`, once the trie is finished. */
function knownStep<T>(trie: Trie<T>, from: number, unit: number): number {
  if (unit >= ASCII) return step(trie, from, unit);
  const key = from * ASCII + unit;
  const slot = Math.imul(key, 0x9e3779b1) >>> (32 - STEP_BITS);
  if (trie.stepFrom[slot] !== key) {
    trie.stepTo[slot] = step(trie, from, unit);
    trie.stepFrom[slot] = key;
  }
  return trie.stepTo[slot] ?? 0;
}

function search<T>(trie: Trie<T>, folded: string, limit: number): WordHit<T>[] {
  const hits: WordHit<T>[] = [];
  let node = 0;
  for (let i = 0; i < folded.length && hits.length < limit; i++) {
    node = knownStep(trie, node, folded.charCodeAt(i));
    for (const word of trie.words[node] ?? []) {
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
