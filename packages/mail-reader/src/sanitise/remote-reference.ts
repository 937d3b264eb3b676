// Recognises references in a sender's HTML or CSS that would make a browser contact a foreign server, and counts those
// of an element. The sanitiser counts removals with it; it decides nothing.

/** Attributes that load their URL as soon as the element is shown. `href` loads on links only. */
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

/**
 * Reports whether a URL, as written, names another host: `https:`, `http:` or `//host`, with the slips browsers
 * forgive.
 */
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
    // Only one of a list of candidates is loaded, so it counts as one.
    return name.endsWith('srcset') ? value.split(/[\s,]+/).some(isRemoteReference) : isRemoteReference(value);
  }).length;
}
