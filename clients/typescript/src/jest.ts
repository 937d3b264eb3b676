// Entry point: adds matchers for mail to Jest's global `expect`. For `setupFilesAfterEnv`.

import { addMatchers, type JestExpect } from './add-jest-matchers.ts';
import type { MailMatchers } from './matchers.ts';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- as Jest's types are
  namespace jest {
    // eslint-disable-next-line @typescript-eslint/no-unused-vars, @typescript-eslint/no-empty-object-type -- as they declare it
    interface Matchers<R, T = {}> extends MailMatchers<R> {}
  }
}

addMatchers((globalThis as unknown as { readonly expect: JestExpect }).expect);
