// The elements that the extension puts into a page: each with a closed shadow root in the top layer. The page can see that they
// are there; it can neither read nor press what is in them.
import { direction } from '../shared/texts.ts';
import { closestOf } from './find/roots.ts';
import { style } from './style.ts';

export interface Surface {
  readonly host: HTMLElement;
  readonly root: ShadowRoot;
  /** Shows it at a place in the window, in pixels. */
  showAt(left: number, top: number): void;
  hide(): void;
  remove(): void;
}

/** Inline and important, which no rule of the page overrides. */
const hostStyle: Readonly<Record<string, string>> = {
  all: 'initial',
  display: 'block',
  position: 'fixed',
  inset: 'auto',
  margin: '0',
  padding: '0',
  border: '0',
  width: 'max-content',
  height: 'max-content',
  overflow: 'visible',
  background: 'transparent',
  opacity: '1',
  visibility: 'visible',
  'pointer-events': 'auto',
  'z-index': '2147483647',
};

/** `near` is what it belongs to; undefined for the window. */
export function createSurface(near?: Element): Surface {
  const host = document.createElement('div');
  const root = host.attachShadow({ mode: 'closed' });
  host.dir = direction();
  host.popover = 'manual';
  setStyle(host, { ...hostStyle, 'color-scheme': isDark(near ?? document.body) ? 'dark' : 'light' });
  const sheet = document.createElement('style');
  sheet.textContent = style;
  root.append(sheet);
  return {
    host,
    root,
    showAt(left, top) {
      place(host, near);
      setStyle(host, { display: 'block', left: `${Math.round(left)}px`, top: `${Math.round(top)}px` });
    },
    hide: () => {
      setStyle(host, { display: 'none' });
    },
    remove: () => {
      host.remove();
    },
  };
}

/** Everything outside a modal dialog is dead, so it stands in the field's own. */
function place(host: HTMLElement, near: Element | undefined): void {
  const dialog = near && closestOf(near, 'dialog:modal, [popover]:popover-open');
  const place = dialog ?? document.documentElement;
  if (host.parentNode !== place) place.append(host);
  if (!host.matches(':popover-open')) host.showPopover();
}

function setStyle(host: HTMLElement, rules: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(rules)) {
    if (host.style.getPropertyValue(name) !== value || host.style.getPropertyPriority(name) === '') {
      host.style.setProperty(name, value, 'important');
    }
  }
}

/** Reports whether what lies behind an element is dark. */
function isDark(element: Element | null): boolean {
  for (let at = element; at; at = at.parentElement ?? hostOf(at)) {
    const parts = /rgba?\(([\d.]+)[, ]+([\d.]+)[, ]+([\d.]+)(?:[, /]+([\d.]+))?/.exec(
      getComputedStyle(at).backgroundColor,
    );
    const [red = 0, green = 0, blue = 0, alpha = 1] = (parts?.slice(1) ?? []).map((part) =>
      part === undefined ? 1 : Number(part),
    );
    if (parts && alpha > 0.5) return 0.299 * red + 0.587 * green + 0.114 * blue < 110;
  }
  return (
    getComputedStyle(document.documentElement).colorScheme.includes('dark') &&
    matchMedia('(prefers-color-scheme: dark)').matches
  );
}

function hostOf(element: Element): Element | null {
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** Properties that move, shrink or hide the surface itself; each is `none`, `normal` or `1` where the page has done nothing. */
const changing = 'filter clip-path mask-image transform scale rotate translate mix-blend-mode zoom'.split(
  ' ',
);

/**
 * Reports whether a click is a person's, on something that they could see. Pages have made such elements invisible, to
 * lay them over buttons of their own, and have laid pictures over them that let clicks through.
 */
export function isMeant(event: MouseEvent, { host }: Surface): boolean {
  if (!event.isTrusted || !event.currentTarget) return false;
  const own = getComputedStyle(host);
  // A browser that does not know a property has no value for it.
  const isChanged = changing.some((name) => !/^(?:none|normal|1|)$/.test(own.getPropertyValue(name)));
  if (isChanged || isCoveredAt(event, host)) return false;
  for (let at: Element | null = host; at; at = at.parentElement) {
    const { opacity, visibility } = getComputedStyle(at);
    if (Number(opacity) < 0.9 || visibility !== 'visible') return false;
  }
  return true;
}

/** Only what is in the top layer too can lie over the surface, and only what takes no clicks lets this one through. */
function isCoveredAt({ clientX, clientY }: MouseEvent, host: HTMLElement): boolean {
  const above = document.querySelectorAll(':popover-open, dialog:modal, :fullscreen');
  return [...above].some((element) => {
    if (element.contains(host) || getComputedStyle(element).pointerEvents !== 'none') return false;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return left <= clientX && clientX <= right && top <= clientY && clientY <= bottom;
  });
}
