// What belongs to a path, among paths that may have parameters such as `/messages/:id`. For requests that no route takes:
// it is not fast.

/** @returns what stands under the path itself, else under the first with parameters that fits; undefined for none */
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
