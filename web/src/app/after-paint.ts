// Work that can wait until the browser has painted, so that a key or click is answered first.

/** Returns a function that cancels it. */
export function afterPaint(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame: number | undefined;
  // No frames are drawn in a hidden page.
  if (document.hidden) timer = setTimeout(work);
  else {
    frame = requestAnimationFrame(() => {
      timer = setTimeout(work);
    });
  }
  return () => {
    clearTimeout(timer);
    if (frame !== undefined) cancelAnimationFrame(frame);
  };
}
