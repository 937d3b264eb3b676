// Takes out of the sender's own markup what no policy stops, or stops too late: what leads the page elsewhere, and what
// makes Chromium open connections before it consults the policy. The rest stays as it was written. For pages that are
// shown unsanitised, under a policy that lets nothing run or load.

const space = '\\t\\n\\f\\r ';
/** Elements that load a page within the page. */
const frames = 'applet|embed|fencedframe|frame|frameset|iframe|object|portal';
/** References mean nothing in the name of an element: there is no other way to write one. */
const names = `<(base|link|meta|${frames})(?=[${space}/>])`;
const attributes = new RegExp(
  `[${space}/]*([^${space}/>][^${space}/>=]*)` +
    `(?:[${space}]*=[${space}]*(?:"([^"]*)(?:"|$)|'([^']*)(?:'|$)|([^${space}>]*)))?`,
  'y',
);
const tagEnd = new RegExp(`[${space}/]*>`, 'y');
/** A reference in a value may stand for any of its letters. */
const leading = /^[\s\x00]*(?:refresh|x-dns-prefetch-control)[\s\x00]*$|&/i;
const connecting = /dns-prefetch|preconnect|prefetch|preload|prerender|dictionary|&/i;
/** Characters of tags that are read; tags beyond it count as loud. */
const readMax = 200_000;

/**
 * Each such tag becomes a comment, as Mailpit writes it. In a comment, and wherever else a browser that reads the page
 * in another way might see a tag, only the name of the element is changed.
 */
export function quietMarkup(html: string): string {
  const reader = new TagReader();
  const shown = replaceTags(html, new RegExp(`<!--(?:[^]*?--!?>|[^]*)|${names}`, 'gi'), (name, at) => {
    const tag = reader.read(html, { name, at });
    if (!tag.isLoud || tag.end === undefined) return undefined;
    const what = name === 'base' ? 'base tag' : name === 'meta' ? 'meta refresh' : name;
    return { text: `<!-- ${what} removed -->`, end: tag.end };
  });
  return replaceTags(shown, new RegExp(names, 'gi'), (name, at) =>
    reader.read(shown, { name, at }).isLoud ? { text: '<x-', end: at - name.length } : undefined,
  );
}

/** `at` is the end of the name, which is in lower case. */
type Replace = (name: string, at: number) => { readonly text: string; readonly end: number } | undefined;

function replaceTags(html: string, pattern: RegExp, replace: Replace): string {
  const pieces: string[] = [];
  let kept = 0;
  for (let match = pattern.exec(html); match; match = pattern.exec(html)) {
    const replaced = match[1] && replace(match[1].toLowerCase(), pattern.lastIndex);
    if (!replaced) continue;
    pieces.push(html.slice(kept, match.index), replaced.text);
    kept = replaced.end;
    pattern.lastIndex = kept;
  }
  return pieces.join('') + html.slice(kept);
}

interface ReadTag {
  readonly isLoud: boolean;
  /** Undefined for a tag that has no end, or was not read. */
  readonly end?: number;
}

class TagReader {
  #left = readMax;

  /** Reads on from the name, as a browser does for a tag that begins there. */
  read(html: string, { name, at }: { readonly name: string; readonly at: number }): ReadTag {
    let isLoud = name !== 'meta' && name !== 'link';
    for (let from = at; this.#left > 0; from = attributes.lastIndex) {
      tagEnd.lastIndex = from;
      if (tagEnd.test(html)) return { isLoud, end: tagEnd.lastIndex };
      attributes.lastIndex = from;
      const [read, own = '', ...values] = attributes.exec(html) ?? [];
      // It runs into the end of the page, and so is none.
      if (read === undefined) return { isLoud };
      this.#left -= read.length;
      const value = values.find((one) => one !== undefined) ?? '';
      isLoud ||= isLoudAttribute(name, own.toLowerCase(), value);
    }
    return { isLoud: true };
  }
}

function isLoudAttribute(element: string, name: string, value: string): boolean {
  if (element === 'meta') return name === 'http-equiv' && leading.test(value);
  return name === 'rel' && connecting.test(value);
}
