// Whether a person sees a field. Forms hide fields as traps for programs: what a person does not see is never filled.
import { closestOf, parentOf } from './roots.ts';

const levels = 8;
/** Pixels; smaller is a dot, not a field. */
const least = 10;

export function isUsable(field: HTMLInputElement): boolean {
  if (isLocked(field) || field.type === 'hidden') return false;
  if (closestOf(field, '[inert], [aria-hidden="true"]')) return false;
  return isVisible(field);
}

/** By itself, or with all fields of its group. */
export function isLocked(field: HTMLInputElement): boolean {
  return field.readOnly || field.matches(':disabled');
}

export function isVisible(element: HTMLElement): boolean {
  const options = {
    checkOpacity: true,
    checkVisibilityCSS: true,
    opacityProperty: true,
    visibilityProperty: true,
  };
  if (!element.checkVisibility(options)) return false;
  const { width, height, right, bottom } = element.getBoundingClientRect();
  if (width < least || height < least) return false;
  // Beside or above what can be scrolled to.
  const isRightToLeft = getComputedStyle(document.documentElement).direction === 'rtl';
  if (bottom + scrollY <= 0 || (!isRightToLeft && right + scrollX <= 0)) return false;
  return !isClippedAway(element) && !isFaint(element);
}

function isClippedAway(element: HTMLElement): boolean {
  let at: Element | null = element;
  for (let level = 0; at && level < levels; level += 1, at = parentOf(at)) {
    const { clip, clipPath, overflowX, overflowY, transform } = getComputedStyle(at);
    if (/^rect\((?:0|1)px,? (?:0|1)px,? (?:0|1)px,? (?:0|1)px\)$/.test(clip)) return true;
    if (/^inset\((?:50|100)%/.test(clipPath) || /^circle\(0/.test(clipPath)) return true;
    if (/^matrix\(0, 0, 0, 0/.test(transform)) return true;
    const { width, height } = at.getBoundingClientRect();
    if ((overflowX !== 'visible' && width <= 2) || (overflowY !== 'visible' && height <= 2)) return true;
  }
  return false;
}

function isFaint(element: HTMLElement): boolean {
  let opacity = 1;
  let at: Element | null = element;
  for (let level = 0; at && level < levels; level += 1, at = parentOf(at)) {
    opacity *= Number(getComputedStyle(at).opacity);
  }
  return opacity < 0.1;
}

/** Reports whether something else lies over the middle of a field that is in the window: a bar, a dialog, a trap's lid. */
export function isCovered(field: HTMLElement): boolean {
  const { left, top, width, height } = field.getBoundingClientRect();
  const [x, y] = [left + width / 2, top + height / 2];
  if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return false;
  const root = field.getRootNode();
  if (!(root instanceof ShadowRoot) && !(root instanceof Document)) return true;
  const over = root.elementFromPoint(x, y);
  if (!over || over === field || field.contains(over)) return false;
  // Only what lies behind its own surroundings is not there for a person.
  if (over.contains(field)) return getComputedStyle(field).zIndex.startsWith('-');
  // Labels and ornaments of the field's own lie over it too.
  let near: Element = field;
  for (let level = 0; level < 3 && near.parentElement; level += 1) near = near.parentElement;
  return !near.contains(over);
}
