// Evaluates the table of tree-table.ts: gradient-boosted trees over the features of one value, then a calibration of
// their sum. Whole numbers only, so that every machine adds up the same; takes as many steps as the trees are deep.
import { calibration, packedTrees } from './tree-table.ts';

/** Thresholds are in fortieths, leaves and sums in thousandths of log-odds. */
const perUnit = 40;
const nodeBytes = 3;
/** The rules' score, the first feature, is added to the sum: it knows words that no feature describes. */
const rulesShare = 300;
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

let trees: Trees | undefined;

/** Returns the probability that the value is the code, in hundredths; 0 where it is less than `least`. */
export function judgeValue(features: readonly number[], least = 0): number {
  trees ??= unpack(Buffer.from(packedTrees, 'base64'));
  const score = Math.min(mostScore, Math.max(leastScore, features[0] ?? leastScore));
  const share = calibrate(sumTrees(trees, features, Math.round(rulesShare * score), sumOf(least)));
  return share < least ? 0 : share;
}

/**
 * Returns `start` with one leaf of each tree, in thousandths of log-odds, as soon as it is certain to be below `least`
 * without the rest.
 */
function sumTrees(
  { features, numbers, above, roots, most }: Trees,
  values: readonly number[],
  start: number,
  least: number,
): number {
  const scaled = Float64Array.from(values, (value) => value * perUnit);
  let sum = start;
  for (let tree = 0; tree < roots.length && sum + (most[tree] ?? 0) >= least; tree++) {
    let node = roots[tree] ?? 0;
    for (let feature = features[node] ?? 0; feature !== 0; feature = features[node] ?? 0) {
      node = (scaled[feature - 1] ?? 0) <= (numbers[node] ?? 0) ? node + 1 : (above[node] ?? 0);
    }
    sum += numbers[node] ?? 0;
  }
  return sum;
}

/** Linear between the points of the calibration, level beyond them. */
function calibrate(sum: number): number {
  let [fromSum, fromShare] = calibration[0] ?? [0, 0];
  if (sum <= fromSum) return fromShare / 100;
  for (const [toSum, toShare] of calibration) {
    if (sum <= toSum) {
      const share = fromShare + ((toShare - fromShare) * (sum - fromSum)) / (toSum - fromSum);
      return Math.round(share) / 100;
    }
    [fromSum, fromShare] = [toSum, toShare];
  }
  return fromShare / 100;
}

/** Returns a sum below which the share is certainly less than `least`. */
function sumOf(least: number): number {
  return calibration.findLast(([, share]) => share < 100 * least - 1)?.[0] ?? -Infinity;
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
