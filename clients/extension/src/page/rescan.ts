// Calls back when the page may have other fields than before.
import { findRoots, type Root } from './find/roots.ts';

/** Milliseconds in which changes are gathered. */
const quiet = 120;
/** Milliseconds after the start: components get their fields late, without an event. */
const later = [400, 1500, 4000];

export interface Rescan {
  /** Watches shadow roots that have come since. */
  watchRoots(): void;
  stop(): void;
}

export function watchFields(changed: () => void): Rescan {
  const watched = new WeakSet<Root>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      changed();
    }, quiet);
  };
  const observer = new MutationObserver(ask);
  const attributeFilter = [
    'type',
    'class',
    'style',
    'hidden',
    'open',
    'disabled',
    'readonly',
    'inert',
    'aria-hidden',
  ];
  const watchRoots = (): void => {
    for (const root of findRoots()) {
      if (watched.has(root)) continue;
      watched.add(root);
      observer.observe(root, { subtree: true, childList: true, attributes: true, attributeFilter });
    }
  };
  const events = ['focusin', 'transitionend', 'animationend', 'toggle', 'load'];
  const options = { capture: true, passive: true };
  for (const event of events) addEventListener(event, ask, options);
  const timers = later.map((ms) => setTimeout(ask, ms));
  watchRoots();
  return {
    watchRoots,
    stop() {
      observer.disconnect();
      for (const one of [timer, ...timers]) clearTimeout(one);
      for (const event of events) removeEventListener(event, ask, options);
    },
  };
}
