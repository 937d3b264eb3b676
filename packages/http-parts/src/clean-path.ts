// Cleans a path as the routers of Go's programs do: clients of theirs that write `//view/ID.html` are redirected.

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
