// Parameters that several operations take.

import type { IntParameter } from '../parameters/parameter.ts';

const anyId = { kind: 'int', min: 1, max: Number.MAX_SAFE_INTEGER } as const;

export function idParameter(description: string): IntParameter {
  return { ...anyId, description };
}

export const messageIdParameter = {
  ...anyId,
  required: true,
  description: '`id` of a message from check-mail.',
} as const;

/** The operator's bounds are narrower and checked by the service. */
export const lifetimeParameter = {
  kind: 'int',
  min: 1,
  max: 30 * 86_400,
  description:
    'Seconds from now, within the operator’s bounds: by default 60 to 86,400, and 3,600 when absent.',
} as const;
