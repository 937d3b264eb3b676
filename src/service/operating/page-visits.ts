// How the service's listener saw a request of its own for the page, which went the way that clients go: it carries a
// number that no one else knows. Made once by create-operating.ts.

import { randomBytes } from 'node:crypto';

import type { PageVisit } from '#doctor/facts';

/** In lower case. */
export const visitHeader = 'x-mayfly-doctor';

export interface PageVisits {
  /** Makes a request under a new number, and resolves with how it was seen; undefined when it was not. */
  watch(request: (number: string) => Promise<unknown>): Promise<PageVisit | undefined>;
  /** Called for each request with the header, by anyone. */
  note(number: string, visit: PageVisit): void;
}

export function createPageVisits(): PageVisits {
  const expected = new Map<string, PageVisit | undefined>();
  return {
    async watch(request) {
      const number = randomBytes(16).toString('hex');
      expected.set(number, undefined);
      try {
        await request(number);
        return expected.get(number);
      } finally {
        expected.delete(number);
      }
    },
    note(number, visit) {
      if (expected.has(number)) expected.set(number, visit);
    },
  };
}
