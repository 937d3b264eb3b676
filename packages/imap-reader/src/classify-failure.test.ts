import { expect, it } from 'vitest';

import { classifyFailure, PollFailure } from './classify-failure.ts';

function failed(fields: object, message = 'Command failed'): Error {
  return Object.assign(new Error(message), fields);
}

const refusedLogin = { authenticationFailed: true, responseStatus: 'NO' };
const table: readonly [string, Error, string][] = [
  [
    'a wrong password',
    failed({ ...refusedLogin, serverResponseCode: 'AUTHENTICATIONFAILED', response: 'Invalid' }),
    'refused',
  ],
  [
    'an app password that is required',
    failed({
      ...refusedLogin,
      serverResponseCode: 'ALERT',
      response: 'Application-specific password required',
    }),
    'refused',
  ],
  [
    'a login that asks to try again',
    failed({ ...refusedLogin, response: 'Wrong password, try again' }),
    'refused',
  ],
  ['no way to log in', failed({}, 'Unsupported authentication mechanism'), 'refused'],
  [
    'too many connections',
    failed({
      ...refusedLogin,
      serverResponseCode: 'ALERT',
      response: 'Too many simultaneous connections. (Failure)',
    }),
    'throttled',
  ],
  [
    'Dovecot’s limit',
    failed({ ...refusedLogin, response: '[ALERT] Maximum number of connections from user+IP exceeded' }),
    'throttled',
  ],
  [
    'a throttled command',
    failed({ responseStatus: 'NO', responseText: '[THROTTLED] slow down' }),
    'throttled',
  ],
  ['a used up quota', failed({ responseStatus: 'NO', responseText: '[OVERQUOTA] bandwidth' }), 'throttled'],
  [
    'a busy server at login',
    failed({
      ...refusedLogin,
      serverResponseCode: 'UNAVAILABLE',
      response: 'Temporary authentication failure.',
    }),
    'throttled',
  ],
  ['a farewell', failed({ code: 'NoConnection', reason: 'Session expired' }), 'failing'],
  ['a reset', failed({ code: 'ECONNRESET' }, 'read ECONNRESET'), 'failing'],
  ['a literal over the limit', failed({ code: 'LiteralTooLarge' }), 'broken'],
  ['an answer that does not parse', failed({ code: 'ParserError12' }), 'broken'],
  ['our own verdict', new PollFailure('spent', 'The day is used up.'), 'spent'],
];

for (const [name, error, kind] of table) {
  it(`takes ${name} as ${kind}`, () => {
    expect(classifyFailure(error).kind).toBe(kind);
  });
}

it('tells the operator in one short line, without secrets', () => {
  const error = failed({ ...refusedLogin, response: `pass\r\nword hunter2 ${'x'.repeat(500)}\u001b[2J` });
  const { detail } = classifyFailure(error, ['hunter2', '']);
  expect(detail).toMatch(/^The server refused the login: pass word \*\*\* x+$/);
  expect(detail).toHaveLength(200);
  expect(classifyFailure(failed({ code: 'CERT_HAS_EXPIRED' }, 'certificate has expired')).detail).toBe(
    'TLS failed: certificate has expired',
  );
  expect(classifyFailure(failed({ code: 'ECONNREFUSED' }, 'connect ECONNREFUSED')).detail).toBe(
    'connect ECONNREFUSED (ECONNREFUSED)',
  );
});
