// Errors as Mailpit words them: plain text, 404 without a reason. Used by mailpit.ts.

import type { MayflyError } from '../../domain/mayfly-error.ts';
import type { ErrorAnswer } from '../../http/error-answer.ts';
import { retryFields } from '../../http/error-answer.ts';

export function toMailpitError(error: MayflyError): ErrorAnswer {
  const { httpStatus: status, publicMessage } = error;
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {}),
      ...retryFields(error),
    },
    body: status === 404 ? '404 page not found\n' : `${publicMessage}\n`,
  };
}
