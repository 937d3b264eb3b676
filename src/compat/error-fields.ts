// The header fields of an error in every dialect with Basic credentials.

import type { MayflyError } from '../domain/mayfly-error.ts';
import { retryFields } from '../http/error-answer.ts';

/** Which credentials are missing, and when to retry, if known. */
export function errorFields(error: MayflyError): Record<string, string> {
  const challenge = error.httpStatus === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {};
  return { ...challenge, ...retryFields(error) };
}
