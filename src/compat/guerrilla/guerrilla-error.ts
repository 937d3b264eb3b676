// Errors in Guerrilla Mail's format: `auth.success` is false and `auth.error_codes` gives the reason.

import { MayflyError } from '../../domain/mayfly-error.ts';
import { type ErrorAnswer, retryFields } from '../../http/error-answer.ts';
import { stringifyWellFormed } from '../../http/answer.ts';

export function toGuerrillaError(error: MayflyError): ErrorAnswer {
  const { httpStatus: status, publicMessage, code } = error;
  return {
    status,
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Basic realm="Mayfly"' } : {}),
      ...retryFields(error),
    },
    body: stringifyWellFormed({
      error: publicMessage,
      auth: { success: false, error_codes: [code] },
    }),
  };
}

export function unknownFunction(name: string | undefined): MayflyError {
  const parameter = { parameter: 'f' };
  if (name === undefined) return new MayflyError('missing_parameter', '`f` names no function.', parameter);
  return new MayflyError('invalid_parameter', '`f` names a function that is not served here.', parameter);
}
