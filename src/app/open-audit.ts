// Opens the audit over the store. Part of the composition root.

import { type Audit, createAudit, type Refusal } from '#audit/create-audit';
import { maskSecrets } from '#telemetry/mask-secrets';
import { MayflyError } from '../domain/mayfly-error.ts';
import { OperatorError } from '../service/operating/operator-error.ts';
import type { Stores } from '../store/stores.ts';

export function openAudit(
  { audit, now }: Pick<Stores, 'audit' | 'now'>,
  onError: (error: unknown) => void,
): Audit {
  return createAudit({ store: audit, now, mask: maskSecrets, describe, onError });
}

/** Only what the operator was shown too: other errors may quote anything. */
function describe(error: unknown): Refusal {
  if (error instanceof OperatorError) return { outcome: 'refused', detail: error.message };
  if (!(error instanceof MayflyError)) return { outcome: 'failed', detail: 'The log says why.' };
  const { httpStatus, publicMessage: detail } = error;
  return { outcome: httpStatus >= 500 ? 'failed' : 'refused', detail };
}
