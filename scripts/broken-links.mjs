// Finds links of Markdown pages that lead nowhere: to a file that is not there, or to a heading that its page lacks.
// Links to other hosts are not followed. Used by check-links.mjs.
import path from 'node:path';

/**
 * @typedef {object} Tree
 * @property {(file: string) => boolean} has Whether a file or folder is there, by its path from the root.
 * @property {(file: string) => string} read
 */

/**
 * Returns a line for each broken link of a page.
 * @param {string} page Path from the root.
 * @param {Tree} tree
 */
export function findBrokenLinks(page, tree) {
  const targets = Array.from(
    withoutCode(tree.read(page)).matchAll(/\]\(([^()\s]+)\)|<img [^>]*src="([^"]+)"/g),
  );
  return targets.flatMap(([, link, image]) => {
    const target = link ?? image ?? '';
    if (/^[a-z][a-z+.-]*:/i.test(target)) return [];
    const [file = '', anchor] = target.split('#');
    const at = file === '' ? page : path.posix.join(path.posix.dirname(page), file).replace(/\/$/, '');
    if (!tree.has(at)) return [`${page}: ${target} is not there`];
    if (anchor === undefined || headingIds(tree.read(at)).has(anchor)) return [];
    return [`${page}: ${target} names a heading that is not there`];
  });
}

/**
 * Returns the ids that GitHub and VitePress give to a page's headings.
 * @param {string} text
 */
export function headingIds(text) {
  const headings = withoutCode(text, { spans: false }).matchAll(/^#{1,6} +(.+)$/gm);
  return new Set(Array.from(headings, ([, heading = '']) => toId(heading)));
}

/** @param {string} heading */
function toId(heading) {
  const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  return words
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
}

/** @param {string} text @param {{ spans?: boolean }} [options] */
function withoutCode(text, { spans = true } = {}) {
  const prose = text.replace(/^ *```[\s\S]*?^ *```$/gm, '');
  return spans ? prose.replace(/`[^`\n]*`/g, '') : prose;
}

/**
 * Returns the paths of this repository that a page names as code; of one with NAME or a pattern in it, its folder. Tags such
 * as clients/go/v1.2.3 are none.
 * @param {string} text
 */
export function namedPaths(text) {
  return Array.from(
    text.matchAll(/`((?:src|web|clients|packages|test|docs|scripts|deploy|bench|bin|tools|site)\/[^`\s]*)`/g),
    ([, named = '']) => (/[A-Z*{(<]/.test(path.basename(named)) ? path.dirname(named) : named),
  ).filter((named) => !/[A-Z*{(<]|\/v\d/.test(named));
}
