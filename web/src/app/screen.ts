// The available width, where markup and not just style depends on it.
import { type ReadonlySignal, signal } from '@preact/signals';

/** One pane at a time; the style sheets use the same bound. */
export const isPhone: ReadonlySignal<boolean> = watch('(width < 40rem)');
/** No room in the bar over a message for the ways to show it. */
export const isNarrow: ReadonlySignal<boolean> = watch('(width < 64rem)');

/** Whether a media query matches. */
export function watch(query: string): ReadonlySignal<boolean> {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.addEventListener('change', () => {
    matches.value = media.matches;
  });
  return matches;
}
