// Access rules that allow everything, for tests that are not about them.

import type { Access } from '../../../src/http/access/access.ts';

export const openAccess: Access = {
  takeRequest: () => undefined,
  recordWrongCredential: () => undefined,
  requireTries: () => undefined,
  admitCreate: () => Promise.resolve({ recordMade: () => undefined }),
  admitRename: () => undefined,
  recordChanged: () => undefined,
  issueChallenge: () => undefined,
};
