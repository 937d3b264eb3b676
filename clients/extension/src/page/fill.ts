// Puts text into fields as if it had been typed, so that React, Vue, Angular and their like notice.
import type { CodeField } from './find/code-fields.ts';
import type { EmailField } from './find/email-fields.ts';

// The prototype's own: frameworks put a setter of theirs on the element.
const own = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value');

function typeInto(field: HTMLInputElement, value: string): void {
  const key = {
    bubbles: true,
    composed: true,
    cancelable: true,
    key: value.length === 1 ? value : 'Unidentified',
  };
  field.dispatchEvent(new KeyboardEvent('keydown', key));
  own?.set?.call(field, value);
  field.dispatchEvent(
    new InputEvent('input', { bubbles: true, composed: true, inputType: 'insertText', data: value }),
  );
  field.dispatchEvent(new KeyboardEvent('keyup', key));
}

function change(field: HTMLInputElement): void {
  field.dispatchEvent(new Event('change', { bubbles: true, composed: true }));
}

export function fillEmail({ field, repeated }: EmailField, email: string): void {
  for (const one of [...repeated, field]) {
    one.focus({ preventScroll: true });
    typeInto(one, email);
    change(one);
  }
}

/** Lets frameworks take over one character before the next: some rebuild their boxes for each. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

export async function fillCode(fields: CodeField, code: string): Promise<void> {
  const [first, ...others] = fields;
  if (others.length === 0) {
    first.focus({ preventScroll: true });
    typeInto(first, fitCode(first, code));
    change(first);
    return;
  }
  const characters = bare(code);
  for (const [at, field] of fields.entries()) {
    const character = characters[at];
    if (character === undefined) break;
    field.focus({ preventScroll: true });
    typeInto(field, character);
    change(field);
    await pause();
  }
}

/** Reports whether the code has as many characters as there are boxes. */
export function fits(fields: CodeField, code: string): boolean {
  return fields.length === 1 || bare(code).length === fields.length;
}

function bare(code: string): string {
  return code.replace(/[^\p{L}\p{N}]/gu, '');
}

/** Digits go without the gaps that a mail puts between them; anything else stays, if there is room. */
function fitCode({ maxLength, inputMode, type }: HTMLInputElement, code: string): string {
  const isDigits = /^[\d\s.-]+$/.test(code) || inputMode === 'numeric' || type === 'number';
  return isDigits || (maxLength > 0 && code.length > maxLength) ? bare(code) : code.trim();
}
