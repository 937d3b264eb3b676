// Rows slide down to make room for a new one above them. One that jumped would be gone from under a finger, and browsers
// count it as a shift of the layout. Loaded where there is a touch screen: on a desk rows are a small part of the window.

/** More rows than a phone shows. */
const mostRows = 20;
const slideMs = 160;

/** Returns the function that ends it. */
export function startSliding(list: HTMLElement): () => void {
  let first = firstRow(list);
  const observer = new MutationObserver(() => {
    const before = first;
    first = firstRow(list);
    if (before && first && before !== first && before.parentElement === list) makeRoom(before, first);
  });
  observer.observe(list, { childList: true });
  return () => {
    observer.disconnect();
  };
}

/** Called before the rows are painted at their new places. */
function makeRoom(before: HTMLElement, first: HTMLElement): void {
  // A list that is scrolled stays where it is.
  if (scrollY > 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const by = before.offsetTop - first.offsetTop;
  let row: Element | null = before;
  for (let count = 0; row && count < mostRows; count += 1) {
    row.animate([{ transform: `translateY(${-by}px)` }, { transform: 'none' }], {
      duration: slideMs,
      easing: 'ease-out',
    });
    row = row.nextElementSibling;
  }
}

function firstRow(list: HTMLElement): HTMLElement | null {
  return list.querySelector<HTMLElement>('.row');
}
