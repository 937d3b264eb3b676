// Documents hide fields in shadow roots, and those of components are often closed. A content script may look into them.

export type Root = Document | ShadowRoot;

type Opener = (element: HTMLElement) => ShadowRoot | null;

/** Chromium's and Firefox's own ways; elsewhere only open roots are seen. */
function shadowOf(element: HTMLElement): ShadowRoot | null {
  if (element.shadowRoot) return element.shadowRoot;
  const { openOrClosedShadowRoot: own } = element as { openOrClosedShadowRoot?: ShadowRoot | null };
  if (own !== undefined) return own;
  // Each call crosses into the browser; only components close their roots.
  if (!element.localName.includes('-')) return null;
  const { dom } = chrome as { dom?: { openOrClosedShadowRoot: Opener } };
  return dom?.openOrClosedShadowRoot(element) ?? null;
}

/** Returns the document and every shadow root in it. */
export function findRoots(root: Root = document): readonly Root[] {
  const found: Root[] = [root];
  for (const element of root.querySelectorAll<HTMLElement>('*')) {
    const inner = element instanceof HTMLElement ? shadowOf(element) : null;
    if (inner) found.push(...findRoots(inner));
  }
  return found;
}

/** Returns the parent, or the host if the element is outermost in a shadow root. */
export function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement;
  const root = element.getRootNode();
  return root instanceof ShadowRoot ? root.host : null;
}

/** Returns the nearest ancestor, through shadow roots, that matches. */
export function closestOf(element: Element, selector: string): Element | null {
  for (let at: Element | null = element; at; at = parentOf(at)) if (at.matches(selector)) return at;
  return null;
}
