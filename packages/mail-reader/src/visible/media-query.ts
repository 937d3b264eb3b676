// Evaluates media queries for where most people read mail: a window of 1024 by 768 on a screen in light colours.

const width = 1024;
const height = 768;

/** Features independent of the window. */
const features: ReadonlyMap<string, string> = new Map([
  ['orientation', 'landscape'],
  ['prefers-color-scheme', 'light'],
  ['prefers-reduced-motion', 'no-preference'],
  ['prefers-contrast', 'no-preference'],
  ['hover', 'hover'],
  ['pointer', 'fine'],
  ['any-hover', 'hover'],
  ['any-pointer', 'fine'],
]);

/** Returns undefined for a query that is not understood. */
export function matchesMedia(query: string): boolean | undefined {
  const answers = query
    .toLowerCase()
    .split(',')
    .map((part) => matchesOne(part.trim()));
  return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
}

const types = new Set([
  'all',
  'screen',
  'print',
  'speech',
  'tty',
  'tv',
  'projection',
  'handheld',
  'aural',
  'braille',
]);

function matchesOne(query: string): boolean | undefined {
  const [, prefix, named, rest = ''] =
    /^(?:(not|only)\s+)?(?:([a-z-]+)(?![a-z-:(]))?\s*(?:and\s*)?(.*)$/s.exec(query) ?? [];
  const type = named === 'and' ? undefined : named;
  if (
    rest
      .replaceAll(/\([^()]*\)/g, '')
      .replaceAll('and', '')
      .trim() !== ''
  ) {
    return undefined;
  }
  const tests = [...rest.matchAll(/\(([^()]*)\)/g)].map(([, test = '']) =>
    matchesFeature(test.replaceAll(/\s+/g, '')),
  );
  // No browser's type, such as one mail program's.
  const isScreen = type === undefined || type === 'all' || type === 'screen';
  if (type !== undefined && !types.has(type)) return prefix === 'not';
  const answers = [isScreen, ...tests];
  const answer = answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
  return prefix === 'not' && answer !== undefined ? !answer : answer;
}

function matchesFeature(test: string): boolean | undefined {
  const limit = /^(min|max)-(?:device-)?(width|height):(.*)$/.exec(test);
  if (limit) {
    const [, bound, side, size = ''] = limit;
    return compare(side === 'width' ? width : height, bound === 'min' ? '>=' : '<=', toPixels(size));
  }
  const range = /^(?:([^<>=]+)([<>]=?))?(width|height)(?:([<>]=?)([^<>=]+))?$/.exec(test);
  if (range) {
    const [, left, before, side, after, right] = range;
    const actual = side === 'width' ? width : height;
    const flipped = before?.startsWith('<') === true ? before.replace('<', '>') : before?.replace('>', '<');
    const answers = [
      left === undefined ? true : compare(actual, flipped ?? '', toPixels(left)),
      right === undefined ? true : compare(actual, after ?? '', toPixels(right)),
    ];
    return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
  }
  const [name = '', value] = test.split(':');
  const known = features.get(name);
  if (known !== undefined) return value === undefined ? known !== 'no-preference' : known === value;
  // A resolution, an old browser's switch, or what this reader does not know.
  return name === 'color' && value === undefined ? true : undefined;
}

function compare(actual: number, sign: string, size: number | undefined): boolean | undefined {
  if (size === undefined) return undefined;
  switch (sign) {
    case '<':
      return actual < size;
    case '<=':
      return actual <= size;
    case '>':
      return actual > size;
    case '>=':
      return actual >= size;
    default:
      return undefined;
  }
}

function toPixels(text: string): number | undefined {
  const [, size, unit = 'px'] = /^(\d{0,6}(?:\.\d{1,4})?)(px|em|rem|pt)?$/.exec(text) ?? [];
  if (size === undefined || size === '') return undefined;
  return Number(size) * (unit === 'px' ? 1 : unit === 'pt' ? 4 / 3 : 16);
}
