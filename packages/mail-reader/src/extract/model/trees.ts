// Evaluates the table of tree-table.ts: gradient-boosted trees over the features of one value, and how often values of
// such a sum are codes. Whole numbers only, so that every machine adds up the same; takes as many steps as the trees
// are deep.
import { confidences, packedTrees } from './tree-table.ts';

/** Thresholds are in fortieths, leaves and sums in thousandths of log-odds. */
const perUnit = 40;
const nodeBytes = 3;
/** The rules' score, the first feature, is added to the sum: it knows words that no feature describes. */
const rulesShare = 600;
const [leastScore, mostScore] = [-2, 4] as const;

interface Trees {
  /** By node: the feature that it asks for, counted from one; 0 for a leaf. */
  readonly features: Uint8Array;
  /** By node: the threshold, up to which values go to the next node; or the leaf's number. */
  readonly numbers: Int16Array;
  /** By node: the node for values above the threshold. */
  readonly above: Uint16Array;
  readonly roots: Uint16Array;
  /** By tree: the most that it and those after it can add. */
  readonly most: Int32Array;
}

export interface Judgement {
  /** Tells values of one confidence apart, in thousandths of log-odds. */
  readonly sum: number;
  /** How often such values are the code, in hundredths. */
  readonly confidence: number;
}

/** The least confidence that lists show: see train.py. */
export const leastShown = (confidences.find(([, share]) => share >= 80)?.[1] ?? 100) / 100;

let trees: Trees | undefined;

/** Judges the value with these features; one with a confidence below `least` only as having none. */
export function judgeValue(features: readonly number[], least = 0): Judgement {
  trees ??= unpack(Buffer.from(packedTrees, 'base64'));
  const score = Math.min(mostScore, Math.max(leastScore, features[0] ?? leastScore));
  const leastSum = confidences.find(([, share]) => share >= 100 * least)?.[0] ?? Infinity;
  const sum = sumTrees(trees, features, Math.round(rulesShare * score), leastSum);
  const share = sum < leastSum ? 0 : (confidences.findLast(([from]) => sum >= from)?.[1] ?? 0);
  return { sum, confidence: share / 100 };
}

/**
 * Returns `start` with one leaf of each tree, in thousandths of log-odds; where that is less than `least`, possibly more
 * than the sum, but still less.
 */
function sumTrees(
  { features, numbers, above, roots, most }: Trees,
  values: readonly number[],
  start: number,
  least: number,
): number {
  const scaled = Float64Array.from(values, (value) => value * perUnit);
  let sum = start;
  let tree = 0;
  for (; tree < roots.length && sum + (most[tree] ?? 0) >= least; tree++) {
    let node = roots[tree] ?? 0;
    for (let feature = features[node] ?? 0; feature !== 0; feature = features[node] ?? 0) {
      node = (scaled[feature - 1] ?? 0) <= (numbers[node] ?? 0) ? node + 1 : (above[node] ?? 0);
    }
    sum += numbers[node] ?? 0;
  }
  return sum + (most[tree] ?? 0);
}

/** Nodes are in preorder, three bytes each: the feature, and the threshold or the leaf, little-endian. */
function unpack(bytes: Buffer): Trees {
  const count = bytes.length / nodeBytes;
  const features = new Uint8Array(count);
  const numbers = new Int16Array(count);
  const above = new Uint16Array(count);
  for (let node = 0; node < count; node++) {
    features[node] = bytes[node * nodeBytes] ?? 0;
    numbers[node] = bytes.readInt16LE(node * nodeBytes + 1);
  }
  const roots: number[] = [];
  /** Nodes whose second branch is still to come. */
  const open: number[] = [];
  for (let node = 0; node < count; node++) {
    if (node === 0 || (features[node - 1] === 0 && open.length === 0)) roots.push(node);
    else if (features[node - 1] === 0) above[open.pop() ?? 0] = node;
    if (features[node] !== 0) open.push(node);
  }
  const most = new Int32Array(roots.length + 1);
  for (let tree = roots.length - 1; tree >= 0; tree--) {
    let greatest = -Infinity;
    for (let node = roots[tree] ?? 0; node < (roots[tree + 1] ?? count); node++) {
      if (features[node] === 0) greatest = Math.max(greatest, numbers[node] ?? 0);
    }
    most[tree] = (most[tree + 1] ?? 0) + greatest;
  }
  return { features, numbers, above, roots: Uint16Array.from(roots), most };
}
