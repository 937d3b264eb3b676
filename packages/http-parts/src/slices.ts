// Encodes long texts slice by slice: a sender may write two million characters that each become six, and the thread
// must serve other requests in between.

import { setImmediate as nextTurn } from 'node:timers/promises';

import { stringifyWellFormed } from './answer.ts';

/** The length of a slice, which takes a millisecond with the most expensive encoding. */
const sliceChars = 16_384;

/** `make` receives slices that never end within a character. */
export async function inSlices(
  text: string,
  make: (slice: string) => string,
): Promise<Buffer<ArrayBuffer>[]> {
  const made: Buffer<ArrayBuffer>[] = [];
  for (let at = 0; at < text.length;) {
    const next = endOfSlice(text, at);
    made.push(Buffer.from(make(text.slice(at, next))));
    at = next;
    if (at < text.length) await nextTurn();
  }
  return made;
}

function endOfSlice(text: string, at: number): number {
  const end = Math.min(at + sliceChars, text.length);
  const isHighSurrogate = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return end < text.length && isHighSurrogate ? end + 1 : end;
}

/** For `writeJson`: a list whose elements are made one after another, when they are written. */
export function* eachMade<T>(items: Iterable<T>, make: (item: T) => unknown): Generator<unknown> {
  for (const item of items) yield make(item);
}

/**
 * Serialises an object or a list, yielding between its members and those of nested objects. Elements of an iterable
 * are made as they are written, so that making them also leaves room.
 */
export async function writeJson(thing: object): Promise<Buffer> {
  return Buffer.concat(await writePieces(thing));
}

/** As `writeJson`, for a caller that adds to it. */
export function writePieces(thing: object): Promise<Buffer[]> {
  return writeValue(thing);
}

async function writeMembers(thing: object): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let before = '{';
  for (const [key, value] of Object.entries(thing) as [string, unknown][]) {
    if (value === undefined) continue;
    pieces.push(Buffer.from(`${before}${JSON.stringify(key)}:`), ...(await writeValue(value)));
    before = ',';
  }
  pieces.push(Buffer.from(before === '{' ? '{}' : '}'));
  return pieces;
}

async function writeValue(value: unknown): Promise<Buffer[]> {
  if (typeof value === 'string' && value.length > sliceChars) {
    await nextTurn();
    const inner = await inSlices(value, (slice) => stringifyWellFormed(slice).slice(1, -1));
    return [Buffer.from('"'), ...inner, Buffer.from('"')];
  }
  if (typeof value === 'object' && value !== null) {
    return isIterable(value) ? writeList(value) : writeMembers(value);
  }
  return [Buffer.from(stringifyWellFormed(value))];
}

function isIterable(value: object): value is Iterable<unknown> {
  return Symbol.iterator in value;
}

/** There may be thousands of elements, each with thousands of characters. */
async function writeList(values: Iterable<unknown>): Promise<Buffer[]> {
  const pieces: Buffer[] = [];
  let text = '[';
  let isFirst = true;
  for (const value of values) {
    if (!isFirst) text += ',';
    isFirst = false;
    if (typeof value === 'string' && value.length > sliceChars) {
      pieces.push(Buffer.from(text), ...(await writeValue(value)));
      text = '';
    } else {
      text += stringifyWellFormed(value);
    }
    if (text.length < sliceChars) continue;
    pieces.push(Buffer.from(text));
    text = '';
    await nextTurn();
  }
  pieces.push(Buffer.from(`${text}]`));
  return pieces;
}
