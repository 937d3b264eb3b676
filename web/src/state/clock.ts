// The time as a signal, for countdowns and ages. It stops while the page is hidden.
import { computed, signal } from '@preact/signals';

/** Milliseconds since 1970 by this device's clock, updated each second. */
export const now = signal(Date.now());

/** The same, updated every 15 seconds: for the many places that show minutes. */
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
