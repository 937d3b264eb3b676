// The error for a caller over its rate, with when to retry.

import { MayflyError } from '../../domain/mayfly-error.ts';

export function rateLimited(message: string, retryAfterMs: number): MayflyError {
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new MayflyError('rate_limited', `${message} Wait ${retryAfterSeconds} s.`, { retryAfterSeconds });
}
