// Entry point: adds matchers for mail to the `expect` of @jest/globals, where Jest's globals are not used.

import { expect } from '@jest/globals';

import { addMatchers, type JestExpect } from './add-jest-matchers.ts';
import type { MailMatchers } from './matchers.ts';

declare module 'expect' {
  // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as Jest declares it
  interface Matchers<R extends void | Promise<void>, T = unknown> extends MailMatchers<R> {}
}

addMatchers(expect as unknown as JestExpect);
