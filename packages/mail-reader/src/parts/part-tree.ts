// Finds the parts of a message (RFC 2046 §5.1) in one pass over its bytes, without copying or decoding bodies. No
// recursion: the open multiparts are a list, so nesting costs nothing, and an outer boundary ends everything open
// inside it (§5.1.2).
import { readHeaderFields } from '../header/header-fields.ts';
import type { ParseBudget } from './parse-budget.ts';
import { decodeFilename, findTextCharset, isMultipart, leavesOf, type Part, readPart } from './part.ts';
import { needsCharset } from '../header/decode-words.ts';
import { findTextFiles } from './text-files.ts';

export interface PartTree {
  readonly root: Part;
  /** Reasons why the structure was read only in part or in doubt; empty for an ordinary message. */
  readonly oddities: string[];
}

const lf = 10;
const cr = 13;
const dash = 45;
const space = 32;
const lineOfDashes = Buffer.from('\n--');
/** Most senders put a note about MIME before the first part. */
const preambleMaxBytes = 512;
const epilogueMaxBytes = 12;
const namingFields = /^content-(?:type|disposition)$/i;
/** The longest accepted boundary, with the two dashes that close it. */
const delimiterMaxChars = 258;

/** Reads the structure of a whole message or of its first bytes. Never throws. */
export function readPartTree(raw: Buffer, budget: ParseBudget): PartTree {
  return new TreeWalk(raw, budget).run();
}

interface OpenMultipart {
  readonly part: Part;
  boundary: string;
  /** A boundary the sender may have meant instead, until either is found. */
  otherBoundary: string | undefined;
}

interface Delimiter {
  /** Index into the open multiparts. */
  readonly level: number;
  readonly closes: boolean;
  /** Start of the line, and of the next one. */
  readonly start: number;
  readonly next: number;
}

class TreeWalk {
  readonly #raw: Buffer;
  readonly #budget: ParseBudget;
  readonly #oddities = new Set<string>();
  /** Multiparts whose closing delimiter is still missing, outermost first. */
  readonly #open: OpenMultipart[] = [];
  /** The entity whose body extends to the next delimiter. */
  #current: Part | undefined;
  #parts = 0;
  #dashLines = 0;
  /** Start of the text after a multipart, up to the next delimiter; -1 for none. */
  #closedAt = -1;
  /** Multiparts with text before their first part. */
  readonly #withPreamble: Part[] = [];

  constructor(raw: Buffer, budget: ParseBudget) {
    this.#raw = raw;
    this.#budget = budget;
  }

  run(): PartTree {
    const root = this.#startPart(0, undefined);
    for (let at = root.bodyStart; this.#open.length > 0;) {
      const delimiter = this.#findDelimiter(at);
      if (delimiter === undefined) break;
      at = this.#cross(delimiter);
    }
    if (this.#open.length > 0) this.#oddities.add('a multipart is not closed');
    this.#checkUnread(this.#closedAt, this.#raw.length);
    this.#endBodies(0, this.#raw.length);
    this.#checkEmptyParts();
    this.#keepUnsplit(root);
    this.#decodeFilenames(root);
    findTextFiles(this.#raw, root, this.#budget.partsMax - this.#parts);
    return { root, oddities: [...this.#oddities] };
  }

  /** Reads the header at `at` and adds the entity to `parent`. */
  #startPart(at: number, parent: Part | undefined): Part {
    const budget = this.#budget;
    const limits =
      parent === undefined
        ? { bytesMax: budget.headerMaxBytes, fieldsMax: budget.headerFieldsMax }
        : {
            bytesMax: budget.partHeaderMaxBytes,
            fieldsMax: budget.partHeaderFieldsMax,
            isDelimiter: (line: number) => this.#matchDelimiter(line) !== undefined,
          };
    const header = readHeaderFields(this.#raw, at, limits);
    if (header.cut) this.#oddities.add('a header is too long');
    for (const oddity of header.oddities) this.#oddities.add(oddity);
    const part = readPart(
      header.fields,
      toPath(parent),
      parent?.contentType === 'multipart/digest' ? 'message/rfc822' : undefined,
    );
    part.bodyStart = header.bodyStart;
    part.bodyEnd = this.#raw.length;
    for (const oddity of part.oddities) this.#oddities.add(oddity);
    parent?.children.push(part);
    this.#parts++;
    this.#current = part;
    if (isMultipart(part)) this.#openMultipart(part);
    // A part that is the whole message has number 1, unless it only contains others.
    if (parent === undefined && this.#open.length === 0) part.path = '1';
    return part;
  }

  #openMultipart(part: Part): void {
    if (part.boundary === null) this.#oddities.add('a multipart has no usable boundary');
    else if (this.#open.length >= this.#budget.depthMax) this.#oddities.add('parts are nested too deeply');
    else {
      const { boundary } = part;
      if (this.#open.some((outer) => outer.boundary === boundary)) {
        this.#oddities.add('a boundary is used twice');
      }
      this.#open.push({ part, boundary, otherBoundary: findOtherBoundary(boundary) });
      // Bytes before the first delimiter are a preamble and belong to no part.
      this.#current = undefined;
    }
  }

  /** Ends and starts what the delimiter ends and starts; returns where to continue. */
  #cross(delimiter: Delimiter): number {
    const { level, closes, start, next } = delimiter;
    const parent = this.#open[level]?.part;
    if (parent === undefined) return next;
    if (this.#closedAt >= 0) this.#checkUnread(this.#closedAt, start);
    else if (parent.children.length === 0) this.#checkPreamble(parent, start);
    this.#closedAt = closes ? next : -1;
    if (level < this.#open.length - 1) this.#oddities.add('a multipart is not closed');
    this.#endBodies(level + 1, this.#trimLineEnd(start));
    if (closes) {
      parent.bodyEnd = start;
      this.#open.length = level;
      return next;
    }
    if (this.#parts >= this.#budget.partsMax) {
      this.#oddities.add('too many parts');
      this.#endBodies(0, start);
      return next;
    }
    return this.#startPart(next, parent).bodyStart;
  }

  #checkPreamble(parent: Part, end: number): void {
    this.#checkUnread(parent.bodyStart, end, preambleMaxBytes);
    if (!this.#isBlank(parent.bodyStart, end)) this.#withPreamble.push(parent);
  }

  /** Text outside all parts is shown by no reader: more than a short note is reported. */
  #checkUnread(start: number, end: number, bytesMax = epilogueMaxBytes): void {
    if (start < 0) return;
    const raw = this.#raw;
    let bytes = 0;
    for (let at = start; at < end && bytes <= bytesMax; at++) {
      if ((raw[at] ?? 0) <= space) continue;
      bytes++;
      if (this.#isLineStart(at) && this.#seemsPart(at)) bytes += bytesMax;
    }
    if (bytes > bytesMax) this.#oddities.add('text outside the parts of a multipart');
  }

  /** Reports whether the line may begin a part with another boundary, or one whose delimiter is lost. */
  #seemsPart(line: number): boolean {
    const raw = this.#raw;
    if (raw[line] === dash) return raw[line + 1] === dash;
    return /^content-/i.test(raw.toString('latin1', line, line + 8));
  }

  #isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at++) if ((this.#raw[at] ?? 0) > space) return false;
    return true;
  }

  /** If all parts are empty, the note before them may be the content, with its delimiter lost. */
  #checkEmptyParts(): void {
    for (const { children } of this.#withPreamble) {
      const isEmpty = children.every(({ bodyStart, bodyEnd }) => this.#isBlank(bodyStart, bodyEnd));
      if (isEmpty) this.#oddities.add('text outside the parts of a multipart');
    }
  }

  /** Ends the current entity and every open multipart from `level` inward. */
  #endBodies(level: number, end: number): void {
    for (const { part } of this.#open.splice(level)) part.bodyEnd = Math.max(part.bodyStart, end);
    if (this.#current !== undefined) this.#current.bodyEnd = Math.max(this.#current.bodyStart, end);
    this.#current = undefined;
  }

  #decodeFilenames(root: Part): void {
    const inNeed = [...leavesOf(root)].filter(({ fields }) =>
      fields.some(({ name, value }) => namingFields.test(name) && needsCharset(value)),
    );
    const charset = inNeed.length === 0 ? null : findTextCharset(root);
    if (charset !== null) for (const part of inNeed) decodeFilename(part, charset);
  }

  /** Reads a multipart without parts as text, so that nothing readable is lost. */
  #keepUnsplit(root: Part): void {
    for (const part of leavesOf(root)) {
      if (!isMultipart(part)) continue;
      this.#oddities.add('a multipart has no parts');
      part.contentType = 'text/plain';
      if (part === root) part.path = '1';
    }
  }

  #findDelimiter(from: number): Delimiter | undefined {
    const raw = this.#raw;
    let line = this.#isLineStart(from) ? from : raw.indexOf(lf, from) + 1;
    if (line === 0) return undefined;
    if (raw[line] !== dash || raw[line + 1] !== dash) line = this.#nextDashLine(line);
    while (line >= 0 && line < raw.length) {
      if (++this.#dashLines > this.#budget.dashLinesMax) {
        this.#oddities.add('too many lines of dashes');
        return undefined;
      }
      const delimiter = this.#matchDelimiter(line);
      if (delimiter !== undefined) return delimiter;
      line = this.#nextDashLine(line);
    }
    return undefined;
  }

  #isLineStart(at: number): boolean {
    return at === 0 || this.#raw[at - 1] === lf;
  }

  /** Returns the start of the next line after `line` that begins with two dashes, or -1. */
  #nextDashLine(line: number): number {
    const found = this.#raw.indexOf(lineOfDashes, line);
    return found < 0 ? -1 : found + 1;
  }

  /** Returns the innermost open multipart that the line at `line` delimits. */
  #matchDelimiter(line: number): Delimiter | undefined {
    const raw = this.#raw;
    const text = raw.toString('latin1', line + 2, line + 2 + delimiterMaxChars + 2);
    const lineFeed = text.indexOf('\n');
    const candidate = (lineFeed < 0 ? text : text.slice(0, lineFeed)).trimEnd();
    if (candidate === '') return undefined;
    for (let level = this.#open.length - 1; level >= 0; level--) {
      const closes = this.#matchBoundary(this.#open[level], candidate);
      if (closes === undefined) continue;
      const end = raw.indexOf(lf, line);
      return { level, closes, start: line, next: end < 0 ? raw.length : end + 1 };
    }
    return undefined;
  }

  /** Reports whether the line closes the multipart; undefined when it does not delimit it. */
  #matchBoundary(open: OpenMultipart | undefined, line: string): boolean | undefined {
    if (open === undefined) return undefined;
    const { boundary, otherBoundary } = open;
    const isOther = otherBoundary !== undefined && isDelimiter(line, otherBoundary);
    if (!isOther && !isDelimiter(line, boundary)) return undefined;
    if (isOther) {
      open.boundary = otherBoundary;
      this.#oddities.add('a boundary is not the one that is declared');
    }
    open.otherBoundary = undefined;
    return line.length > open.boundary.length;
  }

  /** The line end before a delimiter belongs to the delimiter (RFC 2046 §5.1.1). */
  #trimLineEnd(start: number): number {
    const raw = this.#raw;
    if (start < 1 || raw[start - 1] !== lf) return start;
    return raw[start - 2] === cr ? start - 2 : start - 1;
  }
}

function isDelimiter(line: string, boundary: string): boolean {
  return line === boundary || (line.length === boundary.length + 2 && line === `${boundary}--`);
}

/** Returns `b` for `'b'` and `<b>`, or the boundary without dashes that were declared with it. */
function findOtherBoundary(boundary: string): string | undefined {
  const inner = /^(?:'(.+)'|<(.+)>|--(.+))$/.exec(boundary);
  return inner?.[1] ?? inner?.[2] ?? inner?.[3];
}

function toPath(parent: Part | undefined): string {
  if (parent === undefined) return '';
  const number = String(parent.children.length + 1);
  return parent.path === '' ? number : `${parent.path}.${number}`;
}
