// The looks in which each view is taken: two windows, two schemes of colours.
import type { BrowserContextOptions } from 'playwright-core';

export const shapes = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
} as const satisfies Record<string, BrowserContextOptions>;

export type Shape = keyof typeof shapes;
export type Scheme = 'light' | 'dark';

export interface Look {
  readonly shape: Shape;
  readonly colorScheme: Scheme;
}
