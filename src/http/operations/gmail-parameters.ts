// Parameters of create-session for Gmail aliases.

import type { ParameterTable } from '../../domain/parameter.ts';
import { idParameter } from './parameters.ts';

export const gmailParameters = {
  use_gmail: {
    kind: 'flag',
    description:
      '1 asks for an alias of a Gmail account: the one of `gmail_id` or `domain_id`, else one that the server chooses.',
  },
  gmail_auto: {
    kind: 'flag',
    description:
      '1 lets the server choose the Gmail account, whatever `domain_id` says; implies `use_gmail`.',
  },
  gmail_id: idParameter('`id` of a Gmail account from `/domains`; not with `gmail_auto`.'),
  alias: {
    kind: 'choice',
    values: ['dot', 'plus'],
    description:
      'Kind of Gmail alias: dots within the name of the account, or a random tag after a plus sign. Dots when ' +
      'absent, unless few are left; a `prefix` makes a plus alias.',
  },
  googlemail: {
    kind: 'flag',
    description: '1 writes the Gmail alias under googlemail.com, which is the same mailbox.',
  },
} as const satisfies ParameterTable;
