// Makes the page's elements. Texts are put in as text, so that an address or a note is never read as markup.

import { type Answer, show } from './call-operation.ts';
import type { Action, Field, Section } from './sections.ts';

/** @throws Error when the page has none */
export function find<E extends HTMLElement>(id: string, kind: new () => E): E {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${id}.`);
}

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Partial<HTMLElementTagNameMap[K]> = {},
  children: readonly HTMLElement[] = [],
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** `columns_as_named` → `columns as named` */
export function toTitle(name: string): string {
  return name.replaceAll('_', ' ');
}

export function drawField({ name, label, type, choices, isOptional }: Field): HTMLLabelElement {
  const control = choices
    ? element(
        'select',
        { name },
        choices.map((choice) => element('option', { textContent: choice })),
      )
    : drawInput({ name, type: type ?? 'text', required: !isOptional });
  return element('label', { textContent: `${label} ` }, [control]);
}

export function drawInput(properties: Partial<HTMLInputElement>): HTMLInputElement {
  return element('input', { autocomplete: 'off', spellcheck: false, ...properties });
}

/** A table's rows, each with a button for each thing that can be done with it. */
export function fillTable(
  table: HTMLTableElement,
  { columns, actionsOf }: Pick<Section, 'columns' | 'actionsOf'>,
  { rows, onAction }: { readonly rows: readonly Answer[]; readonly onAction: (action: Action) => void },
): void {
  if (rows.length === 0) {
    const none = element('td', { textContent: 'None.', className: 'none' });
    table.replaceChildren(element('tbody', {}, [element('tr', {}, [none])]));
    return;
  }
  const titles = [...columns.map(toTitle), ...(actionsOf ? ['actions'] : [])];
  const head = titles.map((title) => element('th', { textContent: title }));
  const body = rows.map((row) => {
    const cells = columns.map((column) => element('td', { textContent: show(row[column]) }));
    const buttons = actionsOf?.(row).map((action) => {
      const what = action.what ?? show(row[columns[0] ?? '']);
      const button = element('button', { textContent: action.label, ariaLabel: `${action.label} ${what}` });
      button.addEventListener('click', () => {
        onAction(action);
      });
      return button;
    });
    return element('tr', {}, buttons ? [...cells, element('td', {}, buttons)] : cells);
  });
  table.replaceChildren(element('thead', {}, [element('tr', {}, head)]), element('tbody', {}, body));
}
