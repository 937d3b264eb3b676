// Errors in mail.tm's formats. Clients read `message`, `detail`, `violations` or Hydra's description, so each error
// has them all.

import { stringifyWellFormed } from '#http-parts/answer';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { type ErrorAnswer, retryFields } from '../../http/answers/error-answer.ts';
import { type Asking, jsonLdType, jsonType, wantsPlainJson } from './represent.ts';

/** An invalid field of the request: 422. */
export class Violation extends MayflyError {
  readonly field: 'address' | 'password';

  /** `reason` is a sentence for people, without the field's name. */
  constructor(field: Violation['field'], reason: string) {
    super('invalid_parameter', reason, { parameter: field });
    this.field = field;
  }
}

/** In the words of the real service, which some clients compare. */
const unauthorised: Readonly<Record<string, string>> = {
  missing_token: 'JWT Token not found',
  unknown_token: 'Invalid JWT Token',
  session_expired: 'Expired JWT Token',
  wrong_password: 'Invalid credentials.',
};

export function toMailtmError(error: MayflyError, call: Asking): ErrorAnswer {
  if (error instanceof Violation) return toViolationAnswer(error, call);
  const { code, publicMessage } = error;
  const credentials = unauthorised[code];
  const status = credentials === undefined ? error.httpStatus : 401;
  // The real service produces these before content negotiation, in a single format.
  if (status === 401) {
    const message = credentials ?? publicMessage;
    return {
      status,
      headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer', ...retryFields(error) },
      body: JSON.stringify({ code: 401, message, detail: publicMessage }),
    };
  }
  return answerError(call, { status, detail: publicMessage, headers: retryFields(error) });
}

function toViolationAnswer({ field, publicMessage }: Violation, call: Asking): ErrorAnswer {
  const detail = `${field}: ${publicMessage}`;
  const violations = [{ propertyPath: field, message: publicMessage }];
  return answerError(call, { status: 422, detail, type: 'ConstraintViolationList', violations });
}

interface ErrorContent {
  readonly status: number;
  readonly detail: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** For JSON-LD; Hydra's own when absent. */
  readonly type?: string;
  readonly violations?: readonly object[];
}

const title = 'An error occurred';

function answerError(call: Asking, content: ErrorContent): ErrorAnswer {
  const { status, detail, headers, type, violations } = content;
  const isPlain = wantsPlainJson(call);
  const common = { code: status, message: detail, detail, ...(violations ? { violations } : {}) };
  const ofHydra = {
    '@context': `/contexts/${type ?? 'Error'}`,
    '@type': type ?? 'hydra:Error',
    'hydra:title': title,
    'hydra:description': detail,
  };
  const body = isPlain ? { type: 'about:blank', title, status, ...common } : { ...ofHydra, ...common };
  return {
    status,
    headers: { ...headers, 'content-type': isPlain ? jsonType : jsonLdType },
    body: stringifyWellFormed(body),
  };
}
