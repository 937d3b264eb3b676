// Finds the entry for a path, among paths with parameters such as `/messages/:id`. For requests without a route; not
// fast.

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
