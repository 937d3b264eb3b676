// Settings of Gmail accounts and of the key that seals their credentials, for settings.ts.

import { parseSecretKey, secretKeyForm } from '../../values/src/secret-key.ts';
import { checked, duration, limit, oneOf, text } from '../../values/src/setting.ts';

const secretKey = {
  ...checked(
    text(
      '',
      `Seals the credentials of Gmail accounts in the store: ${secretKeyForm}. Needed where there are accounts. A new ` +
        'one is set only through `mayfly secret rotate`.',
    ),
    secretKeyForm,
    (value) => (value === '' || parseSecretKey(value) ? value : undefined),
  ),
  isSecret: true,
} as const;

export const secretSettings = {
  key: secretKey,
  keyFile: text('', 'File that contains the key, in place of MAYFLY_SECRET_KEY.'),
};

export const gmailSettings = {
  maskAccounts: oneOf(
    ['off', 'on'],
    'off',
    'Whether GET /domains shows the accounts as `a***@gmail.com`. An alias itself ' +
      'still reveals its account.',
  ),
  afterDelivery: oneOf(
    ['trash', 'seen', 'leave'],
    'trash',
    'What happens in the account to a message that was delivered: `trash` moves it there once its sessions have ' +
      'ended, `seen` marks it at once. No other message is ever touched.',
  ),
  bytesPerDayMax: limit(
    2 ** 44,
    2_000_000_000,
    'Bytes fetched from one account per day (UTC). Google allows 2,500 MB and ' +
      'locks the account for a while after that.',
  ),
  spamPollSeconds: duration(
    { min: 1, max: 3600 },
    30,
    "Interval between checks of an account's spam folder, where codes end up too.",
  ),
  tlsCaFile: text(
    '',
    'Certificate authorities in PEM, used to verify IMAP servers in place of the usual ones.',
  ),
};
