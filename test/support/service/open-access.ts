// Access rules that allow everything, for tests that are not about them.

import type { Access } from '../../../src/http/access/access.ts';

export const openAccess: Access = {
  takeRequest: () => undefined,
  noteWrongCredential: () => undefined,
  requireTries: () => undefined,
  admitCreate: () => Promise.resolve({ noteMade: () => undefined }),
  admitRename: () => undefined,
  noteChanged: () => undefined,
  issueChallenge: () => undefined,
};
