// The result of reading a selector, and the means by which its matching is bounded.

import type { HtmlElement } from '../document/html-document.ts';

/** Returns whether an element matches. */
export type Match = (element: HtmlElement) => boolean;

/** Called with the cost of each comparison, about that of one element and one name; throws when it was enough. */
export type Spend = (cost: number) => void;
