// Errors as Mailosaur words them. Of a 400 its clients show `field` and `description`, of the rest the status alone.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { stringifyWellFormed } from '../../http/answer.ts';
import { type ErrorAnswer, retryFields } from '../../http/error-answer.ts';

export function invalidField(field: string, description: string): MayflyError {
  return new MayflyError('invalid_parameter', description, { parameter: field });
}

/** Of another session it is told as of one that never was. */
export function notFound(field: string, description: string): MayflyError {
  return new MayflyError('not_found', description, { parameter: field });
}

export function toMailosaurError(error: MayflyError): ErrorAnswer {
  const { code, publicMessage: description, httpStatus: status, parameter: field = 'request' } = error;
  return {
    status,
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {}),
      ...retryFields(error),
    },
    // `type` comes first: the clients' own tests look for it at the start of the text.
    body: stringifyWellFormed({
      type: status === 400 ? 'ValidationError' : code,
      messages: { [field]: description },
      errors: [{ field, detail: [{ description }] }],
    }),
  };
}
