// Errors in Mailosaur's format. For a 400 its clients show `field` and `description`, otherwise only the status.

import { stringifyWellFormed } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import type { ErrorAnswer } from '../../http/answers/error-answer.ts';
import { errorFields } from '../error-fields.ts';

export function invalidField(field: string, description: string): MayflyError {
  return new MayflyError('invalid_parameter', description, { parameter: field });
}

/** The same for another session's as for one that never existed. */
export function notFound(field: string, description: string): MayflyError {
  return new MayflyError('not_found', description, { parameter: field });
}

export function toMailosaurError(error: MayflyError): ErrorAnswer {
  const { code, publicMessage: description, httpStatus: status, parameter: field = 'request' } = error;
  return {
    status,
    headers: errorFields(error),
    // `type` comes first: the clients' own tests look for it at the start of the text.
    body: stringifyWellFormed({
      type: status === 400 ? 'ValidationError' : code,
      messages: { [field]: description },
      errors: [{ field, detail: [{ description }] }],
    }),
  };
}
