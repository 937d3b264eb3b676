// Describes to the operator why an operation failed.

import { OperationError } from '../api/call-operation.ts';
import { text } from './text.ts';

export function describeProblem(error: OperationError): string {
  if (error.status === 0) return text('problem.network');
  return error.message === '' ? text('problem.other', { status: error.status }) : error.message;
}

/** @throws what is no answer of the service's */
export function toProblem(error: unknown): string {
  if (error instanceof OperationError) return describeProblem(error);
  throw error;
}
