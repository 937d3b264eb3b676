import { expect, it } from 'vitest';
import type { MessageHead } from '../../service/mail/message-heads.ts';
import { allTagsOf, countTags, tagsOf } from './tags.ts';

function headOf(xTags: string, ...to: readonly string[]): MessageHead {
  const fields = xTags === '' ? [] : [{ name: 'x-TAGS', value: xTags }];
  const mailboxes = to.map((email) => ({ name: '', email }));
  const head = { fields, from: [], to: mailboxes, cc: [], bcc: [], listed: { recipients: [...to] } };
  return head as unknown as MessageHead;
}

it.each([
  ['', ['a@b.example'], []],
  ['', ['a+one+two@b.example'], ['one', 'two']],
  ['B, a,  b , x/y<z', [], ['B', 'a', 'x y z']],
  ['one', ['a+ONE@b.example'], ['one']],
  ['', ['+@b.example', 'plain+'], []],
])('are those of %j and %j', (field, to, tags) => {
  expect(tagsOf(headOf(field, ...to))).toEqual(tags);
});

it('are listed once, and counted, of several messages', () => {
  const heads = [headOf('b, a'), headOf('a')];
  expect(allTagsOf(heads)).toEqual(['a', 'b']);
  expect(countTags(heads)).toEqual({ a: 2, b: 1 });
});
