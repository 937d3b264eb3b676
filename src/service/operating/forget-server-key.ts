// Lets the next node that starts use another `server.key`, for an operator who lost or replaces it.

import type { ServerKeyStore } from '../../store/server-key-store.ts';
import { OperatorError } from './operator-error.ts';

export interface ForgetServerKeyDeps {
  readonly serverKeys: ServerKeyStore;
}

/** @throws OperatorError */
export async function forgetServerKey({ serverKeys }: ForgetServerKeyDeps): Promise<void> {
  if (!(await serverKeys.forget())) throw new OperatorError('The store is not used with any server.key yet.');
}
