// Makes the links of a published page lead somewhere: npm, PyPI and an installed folder have only the package's files,
// so a link to anything else of the repository becomes one to the same file at the release's tag.
import path from 'node:path';

/**
 * @typedef {object} Place
 * @property {string} page path of the page in the repository
 * @property {(file: string) => boolean} isPublished whether the package has this file or folder of the repository
 * @property {string} repository such as https://github.com/owner/name
 * @property {string} version
 */

/**
 * @param {string} text of the page
 * @param {Place} place
 */
export function publishPage(text, { page, isPublished, repository, version }) {
  /** @param {string} target @param {'blob' | 'raw'} kind */
  const lead = (target, kind) => {
    if (/^(?:[a-z][a-z+.-]*:|#)/i.test(target)) return target;
    const [file = '', anchor] = target.split('#');
    const at = path.posix.join(path.posix.dirname(page), file).replace(/\/$/, '');
    if (isPublished(at)) return target;
    return `${repository}/${kind}/v${version}/${at}${anchor === undefined ? '' : `#${anchor}`}`;
  };
  return text
    .split(fenced)
    .map((part, at) => (at % 2 === 0 ? leadLinks(part, lead) : part))
    .join('');
}

/** A block of code; splitting by it leaves the blocks at odd places. */
const fenced = /(^ *```[\s\S]*?^ *```$)/m;
/** A span of code outside a link, or a link with its words, or the picture of an <img>. */
const places = /(`[^`\n]*`)|(!?)\[((?:`[^`\n]*`|[^\]`])*)\]\(([^()\s]+)\)|(<img [^>]*src=")([^"]+)"/g;

/**
 * @param {string} prose
 * @param {(target: string, kind: 'blob' | 'raw') => string} lead
 */
function leadLinks(prose, lead) {
  return prose.replaceAll(places, (whole, ...groups) => {
    const [code, image = '', words = '', link = '', before = '', picture] =
      /** @type {(string | undefined)[]} */ (groups);
    if (code !== undefined) return whole;
    if (picture !== undefined) return `${before}${lead(picture, 'raw')}"`;
    return `${image}[${words}](${lead(link, image === '' ? 'blob' : 'raw')})`;
  });
}
