// Describes a failed request in the reader's language, for views and notices.
import { t } from '../i18n/translate.ts';
import type { ApiError } from './api-error.ts';

const plain = {
  network: 'error.network',
  too_many_streams: 'error.too_many_streams',
  address_taken: 'error.address_taken',
  invalid_prefix: 'error.invalid_prefix',
  reserved_prefix: 'error.reserved_prefix',
  unknown_domain: 'error.unknown_domain',
  unknown_gmail_account: 'error.unknown_gmail_account',
  no_domain_available: 'error.no_domain_available',
  no_gmail_account_available: 'error.no_gmail_account_available',
  session_expired: 'error.session_expired',
  unknown_token: 'error.unknown_token',
  message_not_found: 'error.message_not_found',
  invalid_api_key: 'error.invalid_api_key',
  challenge_required: 'error.challenge_required',
  wrong_host: 'error.wrong_host',
  unavailable: 'error.unavailable',
} as const;

/** Used when the service names no time to wait. */
const defaultWaitSeconds = 60;

export function describeError(error: ApiError): string {
  const { code, requestId } = error;
  if (Object.hasOwn(plain, code)) return t(plain[code as keyof typeof plain]);
  const detail = error.detail || code;
  const seconds = error.retryAfterSeconds ?? defaultWaitSeconds;
  if (code === 'rate_limited') return t('error.rate_limited', { seconds });
  if (code === 'too_many_sessions') return t('error.too_many_sessions', { seconds });
  if (code === 'invalid_parameter') return t('error.invalid_parameter', { detail });
  if (code === 'internal_error') return t('error.internal_error', { request: requestId });
  return t('error.other', { detail });
}
