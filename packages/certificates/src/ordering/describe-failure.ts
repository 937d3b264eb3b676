// Turns an error of an attempt into the kind on which the next attempt depends, and a line for the operator.

import { SafeFetchError } from '../../../networks/src/safe-fetch-error.ts';
import { AcmeProblem, AcmeProtocolError } from '../../../acme/src/problem.ts';
import type { FailureKind } from '../certificate-records.ts';
import { UnfitCertificate } from '../issued-certificate.ts';

export interface DescribedFailure {
  readonly kind: FailureKind;
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  readonly refusedNames: readonly string[];
}

/** Returns undefined for an error that is no failure of the server, but a bug of ours or of the store. */
export function describeFailure(error: unknown): DescribedFailure | undefined {
  if (error instanceof AcmeProblem) {
    return {
      kind: kindOf(error),
      reason: error.message,
      retryAfterMs: error.retryAfterMs,
      refusedNames: error.names.map(({ name }) => name),
    };
  }
  const rest = { retryAfterMs: undefined, refusedNames: [] };
  if (error instanceof SafeFetchError) {
    const isOurs = error.failure === 'bad_url' || error.failure === 'address_refused';
    return { kind: isOurs ? 'refused' : 'unreachable', reason: error.message, ...rest };
  }
  if (error instanceof AcmeProtocolError) return { kind: 'unreachable', reason: error.message, ...rest };
  if (error instanceof UnfitCertificate) return { kind: 'refused', reason: error.message, ...rest };
  return undefined;
}

function kindOf({ status, type, names }: AcmeProblem): FailureKind {
  if (status === 429 || type === 'rateLimited') return 'rate_limited';
  if (status >= 500 || type === 'serverInternal' || type === 'badNonce') return 'unreachable';
  return status === 0 && names.length > 0 ? 'validation' : 'refused';
}
