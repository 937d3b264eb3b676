// Whether a reference in a sender's HTML or CSS would make a browser ask a server that is not ours, and how many of
// them an element holds. Called by the sanitiser to count what it takes out; it decides nothing.

/** Attributes that load what they name as soon as the element is shown. `href` loads on links only. */
const loadingAttributes: readonly string[] =
  'src srcset imagesrcset background poster data lowsrc dynsrc codebase archive classid manifest xlink:href'.split(
    ' ',
  );
const hrefLoaders: ReadonlySet<string> = new Set([
  'link',
  'image',
  'use',
  'feimage',
  'pattern',
  'script',
  'mpath',
]);

interface ElementLike {
  readonly localName: string;
  getAttribute(name: string): string | null;
}

/** Whether a URL, as written, names another host: `https:`, `http:` or `//host`, with the slips that browsers forgive. */
export function isRemoteReference(url: string): boolean {
  return /^[\x00-\x20]*(?:h\s*t\s*t\s*p(?:\s*s)?\s*:|[\\/]\s*[\\/])/i.test(url.slice(0, 100));
}

export function countRemoteReferences(element: ElementLike): number {
  const names = hrefLoaders.has(element.localName.toLowerCase())
    ? [...loadingAttributes, 'href']
    : loadingAttributes;
  return names.filter((name) => {
    const value = element.getAttribute(name);
    if (value === null) return false;
    // Of a list of candidates one is loaded, so it counts as one.
    return name.endsWith('srcset') ? value.split(/[\s,]+/).some(isRemoteReference) : isRemoteReference(value);
  }).length;
}
