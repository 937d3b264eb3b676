// Long texts made into what goes out, a slice at a time: a sender may write two million characters that each become six,
// and the thread that serves everybody must be free in between.

import { setImmediate as nextTurn } from 'node:timers/promises';

import { stringifyWellFormed } from './answer.ts';

/** A millisecond of the dearest work that is done on them. */
const sliceChars = 16_384;

/** `make` is given the text in slices, none of which ends in the middle of a character. */
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

/** The JSON of a successful answer about one thing, whose members are written in turns. */
export async function writeSuccess(name: string, thing: object): Promise<Buffer> {
  const before = Buffer.from(`{"status":"success",${JSON.stringify(name)}:`);
  return Buffer.concat([before, ...(await writeMembers(thing)), Buffer.from('}')]);
}

/** The JSON of an object, whose members are written in turns, those of objects in it too. */
export async function writeJson(thing: object): Promise<Buffer> {
  return Buffer.concat(await writeMembers(thing));
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
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return writeMembers(value);
  // Each of its own turn: they may be thousands, with thousands of characters.
  if (Array.isArray(value) && value.length > longList) await nextTurn();
  return [Buffer.from(stringifyWellFormed(value))];
}

const longList = 100;
