// The quiet icon at the end of an e-mail field.
import { element } from '../shared/element.ts';
import { text } from '../shared/texts.ts';
import type { EmailField } from './find/email-fields.ts';
import { isCovered, isVisible } from './find/visible.ts';
import { drawMark } from '../shared/mark.ts';
import { createSurface, isMeant, type Surface } from './surface.ts';

const size = 24;
const gap = 6;

export interface Icon {
  readonly email: EmailField;
  readonly surface: Surface;
  /** Moves it to where the field is now. */
  place(): void;
  show(state: 'idle' | 'busy' | 'waiting'): void;
  remove(): void;
}

/** `pressed` is called for a person's own clicks alone; `near` when one may be about to come. */
export function createIcon(
  email: EmailField,
  { pressed, near }: { pressed: () => void; near: () => void },
): Icon {
  const { field } = email;
  const surface = createSurface(field);
  const button = element('button', 'icon', drawMark());
  button.type = 'button';
  button.tabIndex = -1;
  surface.root.append(button);
  button.style.setProperty('--own', getComputedStyle(field).color);
  button.addEventListener('click', (event) => {
    if (isMeant(event, surface)) pressed();
  });
  // The field keeps the focus, so that what the page shows beside it stays.
  button.addEventListener('mousedown', (event) => {
    event.preventDefault();
  });
  button.addEventListener('pointerenter', near);
  const icon: Icon = {
    email,
    surface,
    place() {
      if (!field.isConnected || !isVisible(field) || isCovered(field)) surface.hide();
      else surface.showAt(...placeIn(field));
    },
    show(state) {
      button.classList.toggle('is-busy', state === 'busy');
      button.classList.toggle('is-waiting', state === 'waiting');
      const words = state === 'waiting' ? text('waiting') : text('iconFill');
      button.title = words;
      button.setAttribute('aria-label', words);
    },
    remove: () => {
      surface.remove();
    },
  };
  icon.show('idle');
  icon.place();
  return icon;
}

/** Inside the field at the end of its line, before an ornament that the page has there. */
function placeIn(field: HTMLInputElement): [left: number, top: number] {
  const { left, right, top, height } = field.getBoundingClientRect();
  const { direction, paddingInlineEnd } = getComputedStyle(field);
  const padding = Number.parseFloat(paddingInlineEnd);
  const inset = padding >= 28 ? padding : gap;
  const at = direction === 'rtl' ? left + inset : right - inset - size;
  return [at, top + (height - size) / 2];
}
