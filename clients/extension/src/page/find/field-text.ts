// The words that a field and its form have for themselves.
import { parentOf, type Root } from './roots.ts';

const most = 160;

function clean(text: string | null | undefined): string {
  return (text ?? '').replace(/\s+/g, ' ').trim().slice(0, most);
}

/** `userEmail_2` as `user Email 2`, so that words end where their parts do. */
export function splitName(name: string): string {
  return name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/[_\-.[\]:]+/g, ' ');
}

/** Names given by programmers. */
export function namesOf(element: Element): string {
  const names = ['name', 'id', 'autocomplete', 'data-testid', 'formcontrolname'];
  return splitName(names.map((name) => element.getAttribute(name) ?? '').join(' ')).slice(0, 2 * most);
}

/** Words that people read: labels and placeholder. */
export function labelOf(field: HTMLInputElement): string {
  const root = field.getRootNode() as Root;
  const described = (field.getAttribute('aria-labelledby') ?? '')
    .split(/\s+/)
    .map((id) => (id === '' ? '' : clean(root.getElementById(id)?.textContent)));
  const labels = [...(field.labels ?? [])].map((label) => clean(label.textContent));
  const own = [field.placeholder, field.getAttribute('aria-label'), field.title].map(clean);
  const words = [...labels, ...described, ...own].filter((text) => text !== '');
  return (words.length > 0 ? words : [textBefore(field)]).join(' | ');
}

/** The words just before a field without a label. */
function textBefore(field: Element): string {
  let at: Element | null = field;
  for (let level = 0; at && level < 3; level += 1, at = parentOf(at)) {
    for (let before = at.previousSibling; before; before = before.previousSibling) {
      if (before instanceof Element && isOfAnother(before)) return '';
      const text = clean(before.textContent);
      if (text !== '') return text.length <= 60 ? text : '';
    }
  }
  return '';
}

const controls = 'input, select, textarea, button, style, script';

/** Whether it is another field, or names one. */
function isOfAnother(element: Element): boolean {
  if (element instanceof HTMLLabelElement && element.control) return true;
  return element.matches(controls) || element.querySelector(controls) !== null;
}

/** The words of a button. */
export function captionOf(button: Element): string {
  const value = button instanceof HTMLInputElement ? button.value : '';
  const label = button.getAttribute('aria-label') ?? button.getAttribute('title') ?? '';
  return clean(`${value} ${clean(button.textContent)} ${label}`);
}

/** Returns the text of an element, without that of the given parts. */
export function textWithout(element: Element, selector: string): string {
  const parts: string[] = [];
  const collect = (node: Node): void => {
    if (parts.length > 400) return;
    for (const child of node.childNodes) {
      if (child instanceof Element) {
        if (!child.matches(`script, style, noscript, template, ${selector}`)) collect(child);
      } else if (child.nodeType === Node.TEXT_NODE) parts.push(child.textContent ?? '');
    }
  };
  collect(element);
  return parts.join(' ').replace(/\s+/g, ' ').trim().slice(0, 2000);
}
