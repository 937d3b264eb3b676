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

/** A query that is not understood does not match. */
export function matchesMedia(query: string): boolean {
  return query
    .toLowerCase()
    .split(',')
    .some((part) => matchesOne(part.trim()));
}

function matchesOne(query: string): boolean {
  const isNegated = /^not\b/.test(query);
  const type = /^(?:(?:not|only)\s+)?([a-z]+)/.exec(query)?.[1];
  const isScreen = type === undefined || type === 'not' || type === 'all' || type === 'screen';
  const tests = [...query.matchAll(/\(([^()]*)\)/g)].map(([, test = '']) => test.replaceAll(/\s+/g, ''));
  return (isScreen && tests.every(matchesFeature)) !== isNegated;
}

function matchesFeature(test: string): boolean {
  const [, bound, side, size = '', unit = 'px'] =
    /^(min|max)-(?:device-)?(width|height):(\d{0,6}(?:\.\d{1,4})?)(px|em|rem|pt)?$/.exec(test) ?? [];
  if (bound === undefined) {
    const [name = '', value] = test.split(':');
    return value === undefined ? features.has(name) || name === 'color' : features.get(name) === value;
  }
  const pixels = Number(size) * (unit === 'px' ? 1 : unit === 'pt' ? 4 / 3 : 16);
  const actual = side === 'width' ? width : height;
  return bound === 'min' ? actual >= pixels : actual <= pixels;
}
