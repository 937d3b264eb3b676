// Finds the fields that ask a new person for an e-mail address.
import { labelOf, namesOf } from './field-text.ts';
import { judge, scopeOf } from './purpose.ts';
import { closestOf, findRoots } from './roots.ts';
import { isCovered, isUsable } from './visible.ts';
import { words } from './words.ts';

export interface EmailField {
  readonly field: HTMLInputElement;
  /** Fields of the same form that ask for the address again. */
  readonly repeated: readonly HTMLInputElement[];
  readonly score: number;
}

const candidates = 'input[type=email], input[type=text], input:not([type])';

/** Returns the fields for signing up, the likeliest first. */
export function findEmailFields(): readonly EmailField[] {
  const found = findRoots().flatMap((root) =>
    [...root.querySelectorAll<HTMLInputElement>(candidates)].filter(isEmail),
  );
  const usable = found.filter((field) => isUsable(field) && !isTrap(field) && !isCovered(field));
  const scopes = Map.groupBy(usable, scopeOf);
  return [...scopes]
    .flatMap(([scope, fields]) => {
      const field = fields.find((one) => !isRepeat(one)) ?? fields[0];
      if (!field) return [];
      const repeated = fields.filter((one) => one !== field && isRepeat(one));
      // Several addresses are those of other people.
      if (fields.length - repeated.length > 1) return [];
      return [{ field, repeated, score: judge(field, scope) }];
    })
    .filter(({ score }) => score >= 0)
    .sort((one, other) => other.score - one.score);
}

function isEmail(field: HTMLInputElement): boolean {
  const [names, label] = [namesOf(field), labelOf(field)];
  if (field.getAttribute('role') === 'combobox' && field.type !== 'email') return false;
  if (words.search.test(label) || /\bsearch\b|\bquery\b/i.test(names)) return false;
  if (words.otherPerson.test(label) || closestOf(field, '[role=search]')) return false;
  if (isCode(field, label)) return false;
  if (field.type === 'email' || field.inputMode === 'email') return true;
  if (/\bemail\b/.test(field.autocomplete)) return true;
  return (
    (words.email.test(label) && label.length < 80 && !/subject|template|betreff|asunto/i.test(label)) ||
    /\be?-?mail\b/i.test(names)
  );
}

/** "Enter the code we e-mailed you" asks for no address. */
function isCode(field: HTMLInputElement, label: string): boolean {
  if (field.autocomplete.includes('one-time-code')) return true;
  return field.type !== 'email' && words.code.test(label) && !/address|adresse/i.test(label);
}

function isRepeat(field: HTMLInputElement): boolean {
  return words.repeat.test(`${labelOf(field)} ${namesOf(field)}`);
}

function isTrap(field: HTMLInputElement): boolean {
  if (words.trap.test(`${labelOf(field)} ${namesOf(field)} ${field.className}`)) return true;
  // Left out of the keyboard's way: no person is meant to reach it.
  return field.getAttribute('tabindex')?.startsWith('-') ?? false;
}
