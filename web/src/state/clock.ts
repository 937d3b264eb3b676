// The time as a signal, for countdowns and for how long ago. It stands still while nobody sees the page.
import { computed, signal } from '@preact/signals';

/** Milliseconds since 1970 by this device's clock, changed each second. */
export const now = signal(Date.now());

/** The same, changed every quarter of a minute: for what is told in minutes, in many places at once. */
export const coarseNow = computed(() => now.value - (now.value % 15_000));

export function startClock(): void {
  const tick = (): void => {
    now.value = Date.now();
  };
  let timer = setInterval(tick, 1000);
  document.addEventListener('visibilitychange', () => {
    clearInterval(timer);
    tick();
    timer = setInterval(tick, document.hidden ? 15_000 : 1000);
  });
}
