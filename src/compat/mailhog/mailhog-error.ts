// Errors as text: MailHog sends none with its status codes, and its clients treat anything but JSON as a failure.

import type { MayflyError } from '../../domain/mayfly-error.ts';
import { type ErrorAnswer, retryFields } from '../../http/error-answer.ts';

export function toMailhogError(error: MayflyError): ErrorAnswer {
  const { httpStatus: status, publicMessage } = error;
  return {
    status,
    headers: {
      'content-type': 'text/plain; charset=utf-8',
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {}),
      ...retryFields(error),
    },
    body: `${publicMessage}\n`,
  };
}
