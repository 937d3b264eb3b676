// Calls back when things in the page may have moved.

/** Milliseconds; layout also changes without any event. */
const interval = 250;

/** @returns what ends it */
export function followLayout(moved: () => void): () => void {
  let isAsked = false;
  const ask = (): void => {
    if (isAsked) return;
    isAsked = true;
    requestAnimationFrame(() => {
      isAsked = false;
      moved();
    });
  };
  const options = { capture: true, passive: true };
  addEventListener('scroll', ask, options);
  addEventListener('resize', ask, options);
  const timer = setInterval(() => {
    if (!document.hidden) moved();
  }, interval);
  return () => {
    removeEventListener('scroll', ask, options);
    removeEventListener('resize', ask, options);
    clearInterval(timer);
  };
}
