// Converts untrusted HTML to plain text, for messages without a text part and for previews. One pass, no tree. The
// result must be shown as text: `&lt;b&gt;` becomes `<b>`.
import { decodeEntities } from '../extract/html-entities.ts';
import { blockTags, cellTags, readTag, unreadTags } from '../extract/html-tags.ts';

const paragraphTags: ReadonlySet<string> = new Set(
  'p h1 h2 h3 h4 h5 h6 ul ol table blockquote pre'.split(' '),
);
const wordSpace = /[ \t\r\n\f]+/g;

/** Returns at most `charsMax` of the text; blocks are on their own lines, list items follow a dash. Never throws. */
export function htmlToText(html: string, charsMax: number): string {
  const writer = new TextWriter();
  let preDepth = 0;
  for (let at = 0; at < html.length && writer.length < charsMax;) {
    const open = html.indexOf('<', at);
    const textEnd = open < 0 ? html.length : open;
    if (textEnd > at) writer.text(decodeEntities(html.slice(at, textEnd)), preDepth > 0);
    if (open < 0) break;
    const tag =
      html.startsWith('!', open + 1) || html.startsWith('?', open + 1) ? undefined : readTag(html, open);
    if (tag === undefined) {
      const end = findMarkupEnd(html, open);
      if (end < 0) writer.text('<', false);
      at = end < 0 ? open + 1 : end;
      continue;
    }
    at = tag.end;
    if (unreadTags.has(tag.name) && !tag.closing) at = skipElement(html, tag.end, tag.name);
    else if (tag.name === 'pre') preDepth = Math.max(0, preDepth + (tag.closing ? -1 : 1));
    writer.breakFor(tag.name, tag.closing);
  }
  return writer.finish(charsMax);
}

/** As in browsers, from the second character after the `<` on: `<!-->` is a whole comment, and `--!>` ends one. */
const commentEnd = '-->|(?<!<!)--!>';

/** Returns the markup without styles, scripts and comments, which contribute no text. */
export function dropUnread(html: string): string {
  const starts = /<(?:(style|script)(?![a-z0-9-])|!--)/gi;
  const kept: string[] = [];
  let from = 0;
  for (let found = starts.exec(html); found !== null; found = starts.exec(html)) {
    kept.push(html.slice(from, found.index));
    const isComment = found[1] === undefined;
    const ends = new RegExp(isComment ? commentEnd : `</${found[1]}(?![a-z0-9-])[^>]*>?`, 'gi');
    ends.lastIndex = isComment ? found.index + 2 : starts.lastIndex;
    // As in browsers, unclosed markup hides the rest.
    from = ends.test(html) ? ends.lastIndex : html.length;
    starts.lastIndex = from;
  }
  kept.push(html.slice(from));
  return kept.join('');
}

export class TextWriter {
  length = 0;
  readonly #out: string[] = [];
  /** White space before the next word; written only if one follows. */
  #gap: '' | ' ' | '\t' | '\n' | '\n\n' = '';
  #bullet = false;

  text(text: string, isPreformatted: boolean): void {
    const words = isPreformatted ? text.replaceAll('\r', '') : text.replace(wordSpace, ' ');
    const start = words.startsWith(' ') ? 1 : 0;
    if (!isPreformatted && start === 1 && this.#gap === '') this.#gap = ' ';
    const end =
      !isPreformatted && words.length > start && words.endsWith(' ') ? words.length - 1 : words.length;
    const content = isPreformatted ? words : words.slice(start, end);
    if (content === '') return;
    this.#push((this.#out.length === 0 ? '' : this.#gap) + (this.#bullet ? '- ' : '') + content);
    this.#bullet = false;
    this.#gap = end < words.length ? ' ' : '';
  }

  breakFor(name: string, closing: boolean): void {
    if (paragraphTags.has(name)) this.#gap = '\n\n';
    else if (blockTags.has(name)) {
      // Two <br> in a row make an empty line.
      if (this.#gap !== '\n\n') this.#gap = name === 'br' && this.#gap === '\n' ? '\n\n' : '\n';
    } else if (cellTags.has(name) && (this.#gap === '' || this.#gap === ' ')) this.#gap = '\t';
    if (name === 'li') this.#bullet = !closing;
  }

  finish(charsMax: number): string {
    return this.#out.join('').slice(0, charsMax);
  }

  #push(text: string): void {
    this.#out.push(text);
    this.length += text.length;
  }
}

/** Returns the end of a comment, declaration or processing instruction at `at`; -1 when the `<` is only a character. */
function findMarkupEnd(html: string, at: number): number {
  const isComment = html.startsWith('<!--', at);
  const second = html.charAt(at + 1);
  if (!isComment && second !== '!' && second !== '?' && second !== '/') return -1;
  const ends = new RegExp(isComment ? commentEnd : '>', 'g');
  ends.lastIndex = at + 2;
  // As in browsers, unclosed markup hides the rest.
  return ends.test(html) ? ends.lastIndex : html.length;
}

/** Returns the start of the end tag of an element whose content is not text, or the end of the document without one. */
function skipElement(html: string, from: number, name: string): number {
  const endTag = new RegExp(`</${name}(?![a-z0-9])`, 'gi');
  endTag.lastIndex = from;
  return endTag.exec(html)?.index ?? html.length;
}
