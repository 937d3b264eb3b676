import { expect, it, onTestFinished, vi } from 'vitest';

import type { SafeFetch } from '#networks/safe-fetch';
import { codeOf } from '#system-errors/error-code';
import { CallerGone } from '../session/caller-gone.ts';
import { createRemoteImageFetcher, type RemoteImageFetcher } from './remote-image-fetcher.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1');

/** A fetcher whose servers answer when the test lets them. */
function open() {
  const asked: { url: string; answer: () => void; signal: AbortSignal | undefined }[] = [];
  const safeFetch: SafeFetch = ({ url, signal }) =>
    new Promise((resolve) => {
      asked.push({
        url,
        signal,
        answer: () => {
          resolve({ status: 200, headers: {}, body: png });
        },
      });
    });
  const fetcher = createRemoteImageFetcher(safeFetch);
  const ask = (url: string, [session, network]: [string, string], signal = new AbortController().signal) =>
    outcomeOf(fetcher, { url, session, network, signal });
  return { asked, ask, urls: () => asked.map(({ url }) => url) };
}

function outcomeOf(
  fetcher: RemoteImageFetcher,
  ask: Parameters<RemoteImageFetcher['fetch']>[0],
): Promise<string> {
  return fetcher.fetch(ask).then(
    ({ contentType }) => contentType,
    (error: unknown) => codeOf(error) ?? 'no code',
  );
}

function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

it('leaves places to others while one session asks for many pictures of a slow server', async () => {
  const { asked, ask, urls } = open();
  const greedy = Array.from({ length: 30 }, (_, at) => ask(`slow ${at}`, ['a', '192.0.2.1']));
  await settle();
  expect(asked).toHaveLength(2);
  const others = ['b', 'c'].map((session) => ask(`of ${session}`, [session, '192.0.2.1']));
  others.push(ask('of d', ['d', '198.51.100.1']));
  await settle();
  expect(urls()).toEqual(['slow 0', 'slow 1', 'of b', 'of c', 'of d']);
  for (let at = 0; at < asked.length; at++) {
    asked[at]?.answer();
    await settle();
  }
  expect(await Promise.all([...greedy, ...others])).toEqual(Array(33).fill('image/png'));
});

it('lets networks take turns, however many sessions one of them asks with', async () => {
  // A turn that takes no time counts for nothing.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => {
    clock.mockRestore();
  });
  const { asked, ask, urls } = open();
  const all = Array.from({ length: 40 }, (_, at) => ask(`greedy ${at}`, [`s${at}`, '192.0.2.1']));
  for (let at = 0; at < 4; at++) all.push(ask(`other ${at}`, [`o${at}`, '198.51.100.1']));
  // Four of each network: eight are under way.
  await settle();
  expect(asked).toHaveLength(8);
  for (let at = 0; at < 3; at++) all.push(ask(`late ${at}`, [`l${at}`, '203.0.113.1']));
  now += 10;
  asked[0]?.answer();
  await settle();
  asked[1]?.answer();
  await settle();
  expect(urls().slice(8)).toEqual(['late 0', 'late 1']);
  for (let at = 2; at < asked.length; at++) {
    asked[at]?.answer();
    await settle();
  }
  expect(new Set(await Promise.all(all))).toEqual(new Set(['image/png']));
});

it('refuses what one network would have wait beyond its share, and takes that of another', async () => {
  const { asked, ask } = open();
  const outcomes: string[] = [];
  for (let at = 0; at < 1000; at++) {
    void ask('x', [`s${at}`, '192.0.2.1']).then((outcome) => outcomes.push(outcome));
  }
  await settle();
  expect(new Set(outcomes)).toEqual(new Set(['unavailable']));
  expect(outcomes.length).toBeGreaterThan(700);
  void ask('another', ['b', '198.51.100.1']);
  await settle();
  expect(asked.at(-1)?.url).toBe('another');
});

it('fetches nothing for who has gone', async () => {
  const { asked, ask } = open();
  const gone = new AbortController();
  const first = ask('1', ['a', 'n'], gone.signal);
  void ask('2', ['a', 'n']);
  const third = ask('3', ['a', 'n'], gone.signal);
  await settle();
  gone.abort(new CallerGone());
  expect(asked[0]?.signal?.aborted).toBe(true);
  expect(await third).toBe('unavailable');
  asked[0]?.answer();
  await first;
  expect(asked).toHaveLength(2);
});

it.each([
  ['\x89PNG\r\n\x1a\n0000', 'image/png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF\0\x01', 'image/jpeg'],
  ['GIF87a000000', 'image/gif'],
  ['GIF89a000000', 'image/gif'],
  ['RIFF0000WEBPVP8 ', 'image/webp'],
  ['RIFF0000WAVEfmt ', 'not_found'],
  ['<svg xmlns="">', 'not_found'],
  ['', 'not_found'],
])('takes %j for %s by its first bytes', async (bytes, outcome) => {
  const fetcher = createRemoteImageFetcher(() =>
    Promise.resolve({ status: 200, headers: {}, body: Buffer.from(bytes, 'latin1') }),
  );
  const { signal } = new AbortController();
  expect(await outcomeOf(fetcher, { url: 'x', session: 'a', network: 'n', signal })).toBe(outcome);
});
