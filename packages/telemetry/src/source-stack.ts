// Translates stack traces of the bundled service to source positions, by the source maps beside the bundles. They are
// read only when there is a stack to show; Node's own support reads them at every start and keeps them in memory.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

interface SourcePosition {
  readonly line: number;
  readonly column: number;
}

interface SourceMap {
  readonly sources: readonly string[];
  readonly mappings: string;
}

/** Translations by file, line and column. The same places throw again and again. */
const known = new Map<string, string>();
const knownMax = 1000;
/** The most frames translated; a longer stack comes from an attack. */
const framesMax = 50;
// Matches only from the start of a word: trying each slash would take quadratic time.
const framePattern = /(?<![^\s(])(?:file:\/\/)?\/[^\s()]*\.m?js:\d+:\d+/g;

/** Returns the stack with places in bundles replaced by source positions, such as `src/app.ts:12:3`. */
export function nameSources(stack: string): string {
  let frames = 0;
  return stack.replace(framePattern, (place) => {
    frames += 1;
    return frames > framesMax ? place : nameSource(place);
  });
}

function nameSource(place: string): string {
  const name = known.get(place) ?? findSource(place) ?? place;
  if (known.size >= knownMax) known.clear();
  known.set(place, name);
  return name;
}

function findSource(place: string): string | undefined {
  const [, bundle = '', line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
  const map = readMap(bundle);
  const found = map && findMapping(map.mappings, { line: Number(line), column: Number(column) });
  const source = found && map?.sources[found.source];
  if (found === undefined || source === undefined) return undefined;
  // Relative to the folder with `src`, `packages` and `node_modules`, wherever that was at build time.
  const within = /(?:^|[\\/])((?:clients|src|packages|node_modules)[\\/].*)$/.exec(source)?.[1] ?? source;
  return `${within}:${found.line}:${found.column}`;
}

function readMap(bundle: string): SourceMap | undefined {
  try {
    const file = bundle.startsWith('file:') ? fileURLToPath(bundle) : bundle;
    return JSON.parse(readFileSync(`${file}.map`, 'utf8')) as SourceMap;
  } catch {
    // Not bundled, without a map, or not a path: show the stack as it is.
    return undefined;
  }
}

const digits = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((digit, value) => [
    digit,
    value,
  ]),
);

/** Finds the last mapping at or before the place. Columns and lines count from 1. */
function findMapping(
  mappings: string,
  { line, column }: SourcePosition,
): (SourcePosition & { readonly source: number }) | undefined {
  let [source, sourceLine, sourceColumn] = [0, 0, 0];
  let found: (SourcePosition & { readonly source: number }) | undefined;
  // Mappings are relative to earlier lines, so walk them all.
  let at = 0;
  for (const segments of mappings.split(';', line)) {
    at += 1;
    let bundleColumn = 0;
    for (const segment of segments === '' ? [] : segments.split(',')) {
      const [columns = 0, sources, lines = 0, sourceColumns = 0] = readNumbers(segment);
      bundleColumn += columns;
      if (sources === undefined) continue;
      source += sources;
      sourceLine += lines;
      sourceColumn += sourceColumns;
      if (at < line || bundleColumn < column) {
        found = { source, line: sourceLine + 1, column: sourceColumn + 1 };
      }
    }
  }
  return found;
}

/** Decodes base64 VLQ numbers: the lowest bit is the sign, and a digit's highest bit marks a continuation. */
function readNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let [value, shift] = [0, 0];
  for (const digit of segment) {
    const bits = digits.get(digit) ?? 0;
    value += (bits & 31) << shift;
    shift += 5;
    if ((bits & 32) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    [value, shift] = [0, 0];
  }
  return numbers;
}
