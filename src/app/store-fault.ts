// Explains problems on the way to the database to the operator. Never includes the URL, which may contain a password.

import { codeOf } from '#system-errors/error-code';

/** Advice by SQLSTATE or errno. */
const explanations: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at its address',
  ENOENT: 'its socket does not exist',
  ENOTFOUND: 'its host is unknown',
  EAI_AGAIN: 'its host cannot be looked up',
  ETIMEDOUT: 'its host does not answer',
  EHOSTUNREACH: 'its host cannot be reached',
  '28P01': 'the password is wrong',
  '28000': 'the user may not connect',
  '3D000': 'there is no such database',
  '42501': 'the user may not do what is needed',
  '53300': 'it accepts no more connections',
  '57014': 'a statement took too long',
  '57P03': 'it is starting or stopping',
};

/** One line. */
export function describeStoreFault(error: unknown): string {
  const code = codeOf(error);
  const { message } = (error ?? {}) as { message?: unknown };
  const explanation = code === undefined ? undefined : explanations[code];
  const detail =
    typeof message === 'string' && message !== '' ? message.replace(/\s+/g, ' ').slice(0, 300) : '';
  const safe = detail.replace(/postgres(?:ql)?:\/\/\S+/gi, 'its URL');
  if (explanation === undefined) return safe || 'an unknown error';
  return safe === '' ? `${explanation}.` : `${explanation} (${safe}).`;
}
