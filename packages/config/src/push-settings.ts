// Settings of Web Push: the area `push` of settings.ts.

import { checked, list, oneOf, type Setting, text } from '../../values/src/setting.ts';

const hosts = checked(
  list(
    '',
    'Push services besides those of Chrome, Firefox, Edge and Safari: names, or `*.` and a name for all below it. Nothing is sent ' +
      'to any other host. An origin such as `http://127.0.0.1:9000` is for tests on the machine itself.',
  ),
  'comma separated host names, *.names and http origins of loopback addresses',
  (entries) => (entries.every(isPushHost) ? entries : undefined),
);

function isPushHost(entry: string): boolean {
  if (/^http:\/\/(?:127(?:\.\d{1,3}){3}|\[::1\]):\d{1,5}$/.test(entry)) return URL.canParse(entry);
  return /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i.test(entry) && !/^[\d.]+$/.test(entry);
}

const contact = checked(
  text(
    '',
    'Contact for operators of push services. Empty: `MAYFLY_HTTP_PUBLIC_URL` if that is https, else ' +
      'postmaster at the first domain.',
  ),
  'a mailto: or https: URL',
  (value) => (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)?$/i.test(value) ? value : undefined),
);

const secret: Setting<string> = {
  ...checked(
    text(
      '',
      'Private key that signs push requests (VAPID), 32 bytes in base64url, the same on every node. Empty: `push.key` in the ' +
        'data folder, created at the first start.',
    ),
    '32 bytes in base64url',
    (value) => (/^(?:[A-Za-z0-9_-]{43})?$/.test(value) ? value : undefined),
  ),
  isSecret: true,
};

export const pushSettings = {
  enabled: oneOf(
    ['off', 'on'],
    'off',
    'Whether browsers are notified of new mail while the page is closed (Web Push). The service then sends requests to ' +
      'browsers’ push services, which report new mail, encrypted for the browser, and contain nothing of the mail.',
  ),
  hosts,
  contact,
  secret,
};
