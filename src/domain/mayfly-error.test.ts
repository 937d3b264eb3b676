import { expect, it } from 'vitest';

import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';
import { MayflyError } from './mayfly-error.ts';

/** Promised by the interface: a code never changes its status. */
const promised: Readonly<Record<number, readonly ErrorCode[]>> = {
  400: [
    'missing_parameter',
    'invalid_parameter',
    'conflicting_parameters',
    'malformed_body',
    'malformed_request',
    'invalid_prefix',
    'webhooks_not_allowed',
  ],
  401: [
    'missing_token',
    'unknown_token',
    'wrong_password',
    'invalid_api_key',
    'api_key_required',
    'challenge_required',
  ],
  403: [
    'reserved_prefix',
    'insufficient_scope',
    'read_only',
    'blocked_network',
    'foreign_origin',
    'capture_only',
  ],
  404: [
    'unknown_domain',
    'unknown_gmail_account',
    'message_not_found',
    'attachment_not_found',
    'share_not_found',
    'not_found',
  ],
  405: ['method_not_allowed'],
  408: ['request_timeout'],
  409: ['address_taken', 'address_is_fixed', 'too_many_shares', 'command_refused', 'session_full'],
  410: ['session_expired'],
  413: ['body_too_large'],
  415: ['unsupported_media_type'],
  421: ['wrong_host'],
  429: ['rate_limited', 'too_many_sessions', 'too_many_streams', 'too_many_connections', 'too_many_unread'],
  431: ['headers_too_large'],
  500: ['internal_error'],
  503: ['no_domain_available', 'no_gmail_account_available', 'unavailable'],
};

it('answers every code with the status that the interface promises', () => {
  const statuses = Object.entries(promised).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)] as const),
  );
  const catalogue = Object.entries(errorCatalogue).map(([code, { http }]) => [code, http] as const);
  expect(Object.fromEntries(catalogue)).toEqual(Object.fromEntries(statuses));
  for (const [code, status] of statuses) expect(new MayflyError(code, 'No.').httpStatus).toBe(status);
});

it('says of each code when it is answered', () => {
  for (const { when } of Object.values(errorCatalogue)) expect(when).toMatch(/^\S.{10,}[^.\s]$/);
});

it('carries what a caller may know, and the cause for the log alone', () => {
  const cause = new Error('disk 7 is on fire');
  const error = new MayflyError('unavailable', 'Try later.', {
    parameter: 'id',
    retryAfterSeconds: 5,
    cause,
  });
  expect(error).toBeInstanceOf(Error);
  expect(error).toMatchObject({
    name: 'MayflyError',
    code: 'unavailable',
    publicMessage: 'Try later.',
    parameter: 'id',
    retryAfterSeconds: 5,
    cause,
  });
  expect(error.message).toBe('unavailable: Try later.');
});

it('has no cause, parameter or retry time unless given', () => {
  const error = new MayflyError('internal_error', 'It failed.');
  expect(Object.hasOwn(error, 'cause')).toBe(false);
  expect(error.parameter).toBeUndefined();
  expect(error.retryAfterSeconds).toBeUndefined();
});
