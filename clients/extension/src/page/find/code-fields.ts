// Finds the field for a code that was mailed, or the boxes for its characters.
import { captionOf, labelOf, namesOf, textWithout } from './field-text.ts';
import { findRoots, parentOf } from './roots.ts';
import { scopeOf } from './purpose.ts';
import { isLocked, isUsable } from './visible.ts';
import { words } from './words.ts';

/** One field, or one for each character, in order. */
export type CodeField = readonly [HTMLInputElement, ...HTMLInputElement[]];

const candidates =
  'input[type=text], input[type=tel], input[type=number], input[type=password], input:not([type])';
/** Characters of a code. */
const [shortest, longest] = [4, 10];

/** Returns the likeliest; undefined if there is none. */
export function findCodeField(): CodeField | undefined {
  const fields = findRoots().flatMap((root) =>
    [...root.querySelectorAll<HTMLInputElement>(candidates)].filter(isThere),
  );
  const boxes = findBoxes(fields);
  if (boxes) return boxes;
  const mailed = fields.filter((field) => !isElsewhere(field));
  const named = mailed.find((field) => /\bone-time-code\b/.test(field.autocomplete)) ?? mailed.find(isNamed);
  return named ? [named] : undefined;
}

/** Some widgets lay an unseen field over boxes that they draw. */
function isThere(field: HTMLInputElement): boolean {
  const isDeclared = /\bone-time-code\b/.test(field.autocomplete);
  return isDeclared ? !isLocked(field) && field.checkVisibility() : isUsable(field);
}

function isNamed(field: HTMLInputElement): boolean {
  const own = `${labelOf(field)} ${namesOf(field)}`;
  if (words.otherCode.test(own) || words.search.test(own) || words.trap.test(own)) return false;
  if (field.maxLength > 0 && field.maxLength < shortest) return false;
  if (words.code.test(own)) {
    return (isShort(field) && isAlone(field)) || words.strongCode.test(`${own} ${surroundings(field)}`);
  }
  // A short field for digits, alone under a text that speaks of a code.
  return (
    isShort(field) &&
    isAlone(field) &&
    /\d|numeric/.test(`${field.inputMode}${field.pattern}`) &&
    words.strongCode.test(surroundings(field)) &&
    words.code.test(surroundings(field))
  );
}

/** For a code that an app, a card or another screen shows. Links to such ways say nothing of this field. */
function isElsewhere(field: HTMLInputElement): boolean {
  const text = surroundings(field, 'a, button');
  return words.elsewhere.test(text) && !words.email.test(text);
}

/** A number in parts, such as one for the telephone, has other short fields beside it. */
function isAlone(field: HTMLInputElement): boolean {
  const inputs = [...scopeOf(field).querySelectorAll<HTMLInputElement>(candidates)];
  return inputs.every((one) => one === field || one.maxLength <= 0);
}

/** For the length of a code, by its bound or by an example such as `000000`. */
function isShort({ maxLength, placeholder }: HTMLInputElement): boolean {
  const length = maxLength > 0 ? maxLength : /^[\dX_•*-]*$/i.test(placeholder) ? placeholder.length : 0;
  return length >= shortest && length <= longest;
}

function surroundings(field: HTMLInputElement, without = 'button'): string {
  const scope = scopeOf(field);
  const text = textWithout(scope, without).slice(0, 300);
  const before = scope.previousElementSibling?.textContent ?? '';
  return `${text} ${captionOf(scope)} ${before.slice(0, 200)} ${document.title}`;
}

function findBoxes(fields: readonly HTMLInputElement[]): CodeField | undefined {
  const single = fields.filter(isBox);
  // The boxes lie in one row, each perhaps in a frame of its own.
  for (let level = 1; level <= 3; level += 1) {
    const rows = Map.groupBy(single, (field) => ancestor(field, level));
    const full = [...rows].filter(([row, boxes]) => row && boxes.length >= shortest);
    // A grid is a game's.
    if (full.length > 2) return undefined;
    for (const [, boxes] of full) {
      const [first, ...others] = boxes;
      if (!first || boxes.length > longest || isElsewhere(first)) continue;
      const own = boxes.map((box) => `${labelOf(box)} ${namesOf(box)}`).join(' ');
      const all = `${own} ${surroundings(first)}`;
      const isMailed = words.strongCode.test(all) || words.email.test(all);
      if (isMailed && words.code.test(all) && !words.otherCode.test(own)) return [first, ...others];
    }
  }
  return undefined;
}

/** For one character, by its length or by its width. */
function isBox(field: HTMLInputElement): boolean {
  if (field.maxLength === 1 || field.size === 1) return true;
  const { width, height } = field.getBoundingClientRect();
  return width <= 72 && height >= width * 0.6 && field.type !== 'password' && field.placeholder.length <= 1;
}

function ancestor(field: Element, levels: number): Element | null {
  let at: Element | null = field;
  for (let level = 0; at && level < levels; level += 1) at = parentOf(at);
  return at;
}
