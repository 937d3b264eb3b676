// Errors in Mailpit's format: plain text, 404 without a reason, and JSON for sending. Used by mailpit.ts.

import type { MayflyError } from '../../domain/mayfly-error.ts';
import { stringifyWellFormed } from '../../http/answer.ts';
import { type ErrorAnswer, retryFields } from '../../http/error-answer.ts';

export function toMailpitError(error: MayflyError, path: string): ErrorAnswer {
  const { httpStatus: status, publicMessage } = error;
  const isJson = path === '/api/v1/send';
  return {
    status,
    headers: {
      'content-type': isJson ? 'application/json' : 'text/plain; charset=utf-8',
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {}),
      ...retryFields(error),
    },
    body: isJson ? stringifyWellFormed({ Error: publicMessage }) : toText(status, publicMessage),
  };
}

function toText(status: number, message: string): string {
  return status === 404 ? '404 page not found\n' : `${message}\n`;
}
