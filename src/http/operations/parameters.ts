// Parameters that several operations accept.

import { nameStyles } from '../../service/addresses/choose-address.ts';
import type { SessionLimits } from '../../service/session/session-limits.ts';
import { passwordMaxBytes } from '../../domain/password.ts';
import type { IntParameter, TextParameter } from '#values/parameter';

const anyId = { kind: 'int', min: 1, max: Number.MAX_SAFE_INTEGER } as const;

export function idParameter(description: string): IntParameter {
  return { ...anyId, description };
}

export const messageIdParameter = {
  ...anyId,
  required: true,
  description: '`id` of a message from check-mail.',
} as const;

export function passwordParameter(description: string): TextParameter {
  const bounds = `1 to ${passwordMaxBytes} bytes of UTF-8 without control characters, in Unicode’s form NFC.`;
  return { kind: 'text', description: `${description} ${bounds}` };
}

/** The local part of a new address. */
export function prefixParameter(description: string): TextParameter {
  return { kind: 'text', pattern: '^(?=.{1,40}$)[A-Za-z0-9]+([._-][A-Za-z0-9]+)*$', description };
}

export function styleParameter(description: string) {
  return { kind: 'choice', values: nameStyles, description } as const;
}

/** Bounded by the operator's limits, which the service checks again. */
export function lifetimeParameter(limits: SessionLimits): IntParameter {
  return {
    kind: 'int',
    min: limits.lifetimeMinSeconds,
    max: limits.lifetimeMaxSeconds,
    description: `Seconds from now; ${limits.lifetimeDefaultSeconds} when absent.`,
  };
}
