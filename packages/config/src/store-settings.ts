// Settings of the store and of a node's roles, for settings.ts.

import { checked, list, oneOf, text } from '../../values/src/setting.ts';

const postgresUrl = /^postgres(?:ql)?:\/\/[^\s]+$/i;

/** The jobs of a node, which has all of them by default. */
export const roles = ['smtp', 'http', 'gmail', 'jobs'] as const;
export type Role = (typeof roles)[number];

function isPostgresUrl(value: string): boolean {
  return postgresUrl.test(value) && URL.canParse(value);
}

export const storeSettings = {
  url: {
    ...checked(
      text(
        'sqlite:',
        'Where all data is stored: `sqlite:` is one file in the data folder, for one process; ' +
          '`postgres://USER:PASSWORD@HOST/DATABASE` is shared by any number of them (postgres.md).',
      ),
      'sqlite:, sqlite:FILE or postgres://…',
      (value) => (value.startsWith('sqlite:') || isPostgresUrl(value) ? value : undefined),
    ),
    isSecret: true,
  },
  directUrl: {
    ...checked(
      text(
        '',
        'The same database without a pooler in between, for LISTEN, migrations and partitions. Empty: ' +
          '`MAYFLY_STORE_URL`.',
      ),
      'postgres://… or empty',
      (value) => (value === '' || isPostgresUrl(value) ? value : undefined),
    ),
    isSecret: true,
  },
  password: {
    ...text('', 'Password of the database, as it is: nothing in it needs escaping, as it would in the URLs.'),
    isSecret: true,
  },
  prepared: oneOf(
    ['auto', 'on', 'off'],
    'auto',
    'Whether statements are prepared once per connection, which is faster. `auto`: unless `MAYFLY_STORE_DIRECT_URL` ' +
      'is set, since poolers before pgbouncer 1.21 lose them.',
  ),
} as const;

export const rolesSetting = checked(
  list(
    'smtp,http,gmail,jobs',
    'Roles of this node. `jobs`: webhooks, ending and erasing sessions, partitions.',
  ),
  'smtp, http, gmail and jobs, comma separated',
  (names): readonly Role[] | undefined => {
    const known = roles.filter((role) => names.includes(role));
    const areKnown = names.length > 0 && names.every((name) => roles.some((role) => role === name));
    return areKnown ? Object.freeze(known) : undefined;
  },
);
