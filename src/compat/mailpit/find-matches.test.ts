import { expect, it } from 'vitest';

import { openServices, plainMail } from '../../../test/support/service/service-fixture.ts';
import { bindTestServices } from '../../../test/support/service/test-deps.ts';
import { findMatches } from './find-matches.ts';
import { parseSearch } from './parse-search.ts';

async function open() {
  const fixture = await openServices();
  const { services } = bindTestServices(fixture.deps);
  const session = await fixture.lend();
  const withPicture =
    'Subject: ant\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n' +
    '<p>wasp <img src=cid:a>\r\n--b\r\nContent-Type: image/png\r\nContent-Disposition: inline\r\n' +
    'Content-ID: <a>\r\n\r\nx\r\n--b--\r\n';
  await fixture.deliver(plainMail('ant', 'one bee and a wasp'), session);
  await fixture.deliver(plainMail('cat', 'two bees, no ant'), session);
  await fixture.deliver(withPicture, session);
  const find = async (query: string): Promise<number[]> => {
    const heads = await findMatches(services, await fixture.refresh(session), parseSearch(query));
    return heads.map(({ listed }) => listed.id);
  };
  return { ...fixture, find };
}

it.each([
  ['ant', [3, 2, 1]],
  ['bee', [2, 1]],
  ['bee wasp', [1]],
  ['ant -bee', [3]],
  ['-wasp', [2]],
  ['ant subject:ant', [3, 1]],
  ['has:inline', [3]],
  ['-has:inline wasp', [1]],
  ['bee bee -cat', [1]],
  ['nothing', []],
])('finds by %s', async (query, ids) => {
  const { find } = await open();
  expect(await find(query)).toEqual(ids);
});

it('reads each message once, however many words there are', async () => {
  const { find, parserCalls } = await open();
  await find('subject:x');
  parserCalls.examine = 0;
  parserCalls.parse = 0;
  const words = Array.from({ length: 25 }, (_, i) => `-word${i} -bee${i}`).join(' ');
  expect(await find(words)).toEqual([3, 2, 1]);
  expect(parserCalls).toMatchObject({ examine: 3, parse: 0 });
});
