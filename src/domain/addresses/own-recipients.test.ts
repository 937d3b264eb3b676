import { expect, it } from 'vitest';

import { ownRecipients, tagsOf, toUntaggedKey } from './capture.ts';

const fox = 'quiet-fox@mayfly.test';

it.each([
  { rcptTo: [fox], own: [fox], what: 'the address' },
  { rcptTo: ['Quiet-Fox@MAYFLY.test'], own: ['Quiet-Fox@MAYFLY.test'], what: 'another case' },
  { rcptTo: ['"quiet-fox"@mayfly.test'], own: ['"quiet-fox"@mayfly.test'], what: 'quotes' },
  { rcptTo: ['quiet-fox+A.b@mayfly.test'], own: ['quiet-fox+A.b@mayfly.test'], what: 'a tag' },
  { rcptTo: ['other@mayfly.test', fox], own: [fox], what: 'another session’s beside it' },
  {
    rcptTo: ['quiet-fox+a@mayfly.test', 'other+b@mayfly.test', 'quiet-fox+c@mayfly.test'],
    own: ['quiet-fox+a@mayfly.test', 'quiet-fox+c@mayfly.test'],
    what: 'two tags',
  },
  { rcptTo: ['quiet-fox+a@other.test', fox], own: [fox], what: 'another domain' },
  { rcptTo: ['quiet-foxes@mayfly.test', fox], own: [fox], what: 'a longer name' },
  { rcptTo: ['old-name@mayfly.test'], own: ['old-name@mayfly.test'], what: 'its address of then' },
  { rcptTo: ['old-name@mayfly.test', 'other@mayfly.test'], own: [fox], what: 'others’ alone' },
  { rcptTo: [], own: [fox], what: 'none' },
])('shows a session its own recipients only: $what', ({ rcptTo, own }) => {
  expect(ownRecipients(rcptTo, fox)).toEqual(own);
});

it('a session that takes any recipient sees all of them', () => {
  const rcptTo = ['any@one.test', 'other+x@two.test'];
  expect(ownRecipients(rcptTo, '*@abcdefgh.mayfly.test')).toEqual(rcptTo);
  expect(tagsOf(rcptTo, '*@abcdefgh.mayfly.test')).toEqual(['x']);
});

it.each([
  { recipients: [fox], tags: [] },
  { recipients: ['quiet-fox+Shop@mayfly.test', 'quiet-fox+b+c@mayfly.test'], tags: ['Shop', 'b+c'] },
  { recipients: ['quiet-fox+a@mayfly.test', 'QUIET-FOX+a@mayfly.test'], tags: ['a'] },
  { recipients: ['quiet-fox+@mayfly.test'], tags: [] },
  { recipients: ['"quiet-fox+a b"@mayfly.test'], tags: ['a b'] },
])('the tags of $recipients are $tags', ({ recipients, tags }) => {
  expect(tagsOf(recipients, fox)).toEqual(tags);
});

it('the plus of a lent alias is no tag', () => {
  expect(tagsOf(['brook+shop@gmail.com'], 'brook+shop@gmail.com')).toEqual([]);
});

it('an address without a tag, or with nothing before it, has no other key', () => {
  expect(toUntaggedKey({ localPart: 'quiet-fox', domain: 'mayfly.test' })).toBeUndefined();
  expect(toUntaggedKey({ localPart: '+a', domain: 'mayfly.test' })).toBeUndefined();
  expect(toUntaggedKey({ localPart: 'Quiet-Fox+a+b', domain: 'mayfly.test' })).toBe(fox);
});
