// Paths of requests: cleans them as the routers of Go's programs do (clients of theirs that write `//view/ID.html` are
// redirected), and finds the entry for one among paths with parameters such as `/messages/:id`. Not fast.

/** @returns the entry of the path itself, else the first with parameters that matches, if any */
export function createPathFinder<T>(paths: ReadonlyMap<string, T>): (path: string) => T | undefined {
  const patterns = [...paths]
    .filter(([path]) => path.includes(':'))
    .map(([path, value]) => [toExpression(path), value] as const);
  return (path) => paths.get(path) ?? patterns.find(([expression]) => expression.test(path))?.[1];
}

function toExpression(path: string): RegExp {
  const literal = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+')}$`);
}

/** Returns the path without empty segments, `.` and `..`. It begins with one slash, so that it names no other host. */
export function cleanPath(path: string): string {
  const kept: string[] = [];
  for (const segment of path.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const isFolder = /\/\.{0,2}$/.test(path) && kept.length > 0;
  // A browser takes a backslash for a slash.
  return `/${kept.join('/')}${isFolder ? '/' : ''}`.replaceAll('\\', '%5C');
}
