// Errors in dialects with Basic credentials: their header fields, and those in plain text.

import type { MayflyError } from '../domain/mayfly-error.ts';
import { type ErrorAnswer, retryFields } from '../http/answers/error-answer.ts';

/** Which credentials are missing, and when to retry, if known. */
export function errorFields(error: MayflyError): Record<string, string> {
  const challenge = error.httpStatus === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {};
  return { ...challenge, ...retryFields(error) };
}

/** An error in plain text. */
export function textError(error: MayflyError, body = `${error.publicMessage}\n`): ErrorAnswer {
  return {
    status: error.httpStatus,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...errorFields(error) },
    body,
  };
}

/** An error as Go's server writes it: a 404 has no reason. */
export function goError(error: MayflyError): ErrorAnswer {
  return error.httpStatus === 404 ? textError(error, '404 page not found\n') : textError(error);
}
