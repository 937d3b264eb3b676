// Settings for access to the HTTP interface and its limits, for the areas `http`, `limits` and `live` of settings.ts.

import { isIP } from 'node:net';

import { checked, integer, limit, list, oneOf, type Setting, text } from '../../values/src/setting.ts';

const trustedProxies = checked(
  list(
    '',
    'Addresses and blocks of reverse proxies trusted to name the client. Every limit by address counts the ' +
      'proxy itself until it is named here.',
  ),
  'comma separated IP addresses and blocks such as 10.0.0.0/8',
  (blocks) => (blocks.every(isBlock) ? blocks : undefined),
);

function isBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return false;
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits);
}

const challengeSecret: Setting<string> = {
  ...checked(
    text('', 'Key that signs challenges, the same on every node. Empty: a random one at each start.'),
    'at least 32 characters',
    (value) => (value === '' || value.length >= 32 ? value : undefined),
  ),
  isSecret: true,
};

/** Merged into the area `http`. */
export const httpAccessSettings = {
  connectionsMax: limit(
    1_000_000,
    25_000,
    'Most HTTP connections at once; an idle one makes room for a new one, otherwise further ones get 503. Fewer ' +
      'where the limit on file descriptors leaves no room for more besides SMTP and the store.',
  ),
  connectionsPerAddressMax: limit(
    1_000_000,
    250,
    'Most of them from one IPv4 address or IPv6 /64, and never more than a quarter of all; a /24 or /48 gets twice as ' +
      'many. Further ones get 429. For trusted proxies, requests in progress are counted instead, by client.',
  ),
  unreadMaxBytes: limit(
    2 ** 44,
    256 * 1024 * 1024,
    'Bytes of answers that clients have not read yet: an eighth of them for one session, a quarter for an IPv4 address ' +
      'or IPv6 /64; further answers get 429, or 503 when all of it is taken.',
  ),
  trustedProxies,
  proxyHeader: oneOf(
    ['x-forwarded-for', 'forwarded'],
    'x-forwarded-for',
    'The header field in which those proxies name the client. The other one is never read, since a client may send it.',
  ),
  apiKeyRequired: oneOf(
    ['off', 'on'],
    'off',
    'Whether create-session needs an API key in `X-Api-Key` (`mayfly key add`).',
  ),
  challenge: oneOf(
    ['off', 'pow'],
    'off',
    '`pow`: create-session needs a solved proof of work from `GET /challenge` (ALTCHA), unless it has an API key.',
  ),
  challengeDifficulty: integer(
    { min: 1, max: 10_000_000 },
    100_000,
    'Largest number that solves a challenge. A phone tries about 100,000 a second, and needs half of them on average.',
  ),
  challengeSecret,
};

/** Merged into the area `limits`. `rate` of the same area lifts them all. */
export const rateSettings = {
  createsPerMinute: limit(
    1_000_000,
    10,
    'Calls of create-session a minute from one IPv4 address or IPv6 /64; a /24 or /48 gets ten times as many.',
  ),
  createsPerDay: limit(10_000_000, 100, 'The same for a day.'),
  keyCreatesPerMinute: limit(
    1_000_000,
    60,
    'Calls of create-session a minute with an API key that has no `--rate` of its own. A key replaces the ' +
      'address.',
  ),
  requestsPerMinute: limit(10_000_000, 120, 'Requests a minute with one session token.'),
  compatRequestsPerMinute: limit(
    10_000_000,
    6000,
    "Requests a minute of one session on the listener for other services' dialects, whose clients poll twice a second.",
  ),
  linkRequestsPerMinute: limit(
    10_000_000,
    600,
    'Requests a minute with tickets of one session: the images and attachments of its messages.',
  ),
  authFailuresPerMinute: limit(
    1_000_000,
    10,
    'Wrong tokens, keys and passwords per minute and address that get a normal error; further ones get 429; a /24 or /48 gets ten times as many. Correct tokens and keys are served.',
  ),
  sessionsPerAddress: limit(
    1_000_000,
    50,
    'Live sessions created from one IPv4 address or IPv6 /64, counted in memory since the start, for the creating ' +
      'address; a /24 or /48 gets ten times as many.',
  ),
  sessionsMax: limit(1_000_000_000, 1_000_000, 'Live sessions in total; the count is up to ten seconds old.'),
};

/** Merged into the area `live`. */
export const liveAddressSettings = {
  streamsPerAddressMax: limit(
    1_000_000,
    20,
    'Event streams open at once from one IPv4 address or IPv6 /64; further ones get 429. A /24 or /48 gets ten times as ' +
      'many.',
  ),
  waitsPerAddressMax: limit(
    1_000_000,
    100,
    'Requests from one address that wait for mail at once; ten times as many from a /24 or /48.',
  ),
};
