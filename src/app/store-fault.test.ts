import { expect, it } from 'vitest';

import { describeStoreFault } from './store-fault.ts';

it.each([
  [
    '28P01',
    'password authentication failed for user "mayfly"',
    /^the password is wrong \(password auth.+\)\.$/,
  ],
  ['ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432', /^nothing listens at its address \(.+\)\.$/],
  ['ENOENT', '', /^its socket does not exist\.$/],
  [undefined, 'Connection terminated\nunexpectedly', /^Connection terminated unexpectedly$/],
])('says in one line what %s means', (code, message, expected) => {
  expect(describeStoreFault(Object.assign(new Error(message), { code }))).toMatch(expected);
});

it('never shows a URL, nor fails on what is no error', () => {
  const error = new Error('cannot parse postgres://mayfly:s3cret@host/db today');
  expect(describeStoreFault(error)).toBe('cannot parse its URL today');
  expect(describeStoreFault(undefined)).toBe('an unknown error');
});
