// Parses the members of a JSON object, including repeated names: JSON.parse alone would silently keep the last, and a
// proxy in front might read the first.

import { type CarriedPairs, MalformedBodyError } from './body.ts';

/** @throws MalformedBodyError for anything but one object */
export function parseJsonMembers(text: string): CarriedPairs {
  const object = parseObject(text);
  const entries = Object.entries(object);
  const members = splitMembers(text);
  // Usually nothing is repeated, and the members need not be parsed again.
  if (members.length === entries.length) return entries;
  return members.map(({ name, value }) => [JSON.parse(name) as string, JSON.parse(value) as unknown]);
}

function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new MalformedBodyError('The body is not JSON.', { cause: error });
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new MalformedBodyError('The JSON in the body must be an object.');
}

interface Member {
  /** JSON text of the name and of the value. */
  readonly name: string;
  readonly value: string;
}

/** `text` is valid JSON whose value is an object. One pass without recursion. */
function splitMembers(text: string): Member[] {
  const members: Member[] = [];
  let depth = 0;
  let start = 0;
  let colon = -1;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = endOfString(text, at);
      continue;
    }
    const isEnd = depth === 1 && (char === ',' || char === '}');
    if (isEnd && colon !== -1) {
      members.push({ name: text.slice(start, colon), value: text.slice(colon + 1, at) });
      colon = -1;
    }
    if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ':' && depth === 1) colon = at;
    if (depth === 1 && (char === '{' || char === ',')) start = at + 1;
  }
  return members;
}

/** Returns the index of the closing quote. */
function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
