// Converts any error to the JSON that the caller receives. An unexpected error reveals nothing internal; the details go
// to the log. Used by the server's error handlers.

import { stringifyWellFormed } from '#http-parts/answer';
import { MalformedBodyError, RefusedRequestError } from '#http-parts/body';
import { codeOf } from '#system-errors/error-code';
import { ParameterError } from '#values/parameter';
import { errorCatalogue } from '../../domain/error-catalogue.ts';
import { MayflyError } from '../../domain/mayfly-error.ts';
import { RefusedWriteError } from '../../domain/refused-write.ts';

/** Retry-After of an `unavailable` that has none of its own. */
const unavailableRetrySeconds = 5;

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function errorAnswer(error: MayflyError, requestId: string): ErrorAnswer {
  const { code, publicMessage, parameter } = error;
  const status = errorCatalogue[code].http;
  return {
    status,
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
      ...retryFields(error),
    },
    body: `${stringifyWellFormed({
      status: 'error',
      code,
      message: publicMessage,
      ...(parameter === undefined ? {} : { parameter }),
      request_id: requestId,
    })}\n`,
  };
}

/** Returns the fields that say when to retry, if known. */
export function retryFields({ httpStatus, retryAfterSeconds }: MayflyError): Record<string, string> {
  const retryAfter = retryAfterSeconds ?? (httpStatus === 503 ? unavailableRetrySeconds : undefined);
  return retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
}

/** Maps Fastify's errors to ours. */
const frameworkErrors: Readonly<Record<string, () => MayflyError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: () => new MayflyError('body_too_large', 'The request body is too large.'),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => unsupportedMediaType(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () =>
    new MayflyError('malformed_request', 'The body does not have the length given in Content-Length.'),
  FST_ERR_MAX_PARAM_LENGTH: () => new MayflyError('malformed_request', 'A part of the path is too long.'),
  FST_ERR_BAD_URL: () =>
    new MayflyError('malformed_request', 'The path has percent-encoding that does not decode.'),
};

/** Returns undefined for an error of our own. */
export function toMayflyError(error: unknown): MayflyError | undefined {
  if (error instanceof MayflyError) return error;
  if (error instanceof MalformedBodyError || error instanceof RefusedRequestError) {
    return new MayflyError(error.code, error.message, { cause: error.cause });
  }
  if (error instanceof ParameterError) {
    return new MayflyError(error.code, error.message, { parameter: error.parameter });
  }
  const code = codeOf(error);
  if (code === undefined) return undefined;
  // Files beside the store.
  if (/^(?:ENOSPC|EDQUOT|EFBIG|EROFS)$/.test(code)) return new RefusedWriteError(error);
  // The client disconnected or its body broke off, so the answer will not be read.
  if (code === 'ECONNRESET') {
    return new MayflyError('malformed_request', 'The request broke off.', { cause: error });
  }
  return Object.hasOwn(frameworkErrors, code) ? frameworkErrors[code]?.() : undefined;
}

export function unsupportedMediaType(): MayflyError {
  return new MayflyError(
    'unsupported_media_type',
    'Send the body, uncompressed, as application/json, application/x-www-form-urlencoded or multipart/form-data.',
  );
}

export function internalError(): MayflyError {
  return new MayflyError(
    'internal_error',
    'The service failed; the operator can find the error in the log by `request_id`.',
  );
}

export function shuttingDown(): MayflyError {
  return new MayflyError('unavailable', 'The service is shutting down; try again soon.');
}

/** Describes an error for the log, with tokens removed from all text. */
export function describeFault(error: unknown): { name: string; detail: string } {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    name: error instanceof Error ? error.name : typeof error,
    detail: detail.replace(/mf_[A-Za-z0-9_-]{20,}/g, 'mf_…').slice(0, 8000),
  };
}
