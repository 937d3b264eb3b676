import { expect, it } from 'vitest';

import { followLog, type LogFilter } from './follow-log.ts';
import { createLogFeed, type LogFeed } from './log-feed.ts';

const everything: LogFilter = { level: 'debug', words: [] };

function write(feed: LogFeed, level: string, event: string): void {
  feed.write(`${JSON.stringify({ level, event })}\n`);
}

function follow(feed: LogFeed, filter = everything, after = 0) {
  let woken = 0;
  const onLines = (): void => {
    woken += 1;
  };
  const follower = followLog({ feed, filter, after, onLines });
  const events = (): string[] =>
    follower.take(10_000).lines.map(({ text }) => (JSON.parse(text) as { event: string }).event);
  return { ...follower, events, woken: () => woken };
}

it('gives the recent lines and then each new one, once', () => {
  const feed = createLogFeed();
  write(feed, 'info', 'before');
  const follower = follow(feed);
  expect(follower.events()).toEqual(['before']);
  write(feed, 'warn', 'after');
  expect(follower.woken()).toBe(1);
  expect(follower.events()).toEqual(['after']);
  expect(follower.events()).toEqual([]);
  follower.close();
  write(feed, 'warn', 'late');
  expect(follower.events()).toEqual([]);
});

it('resumes after a line', () => {
  const feed = createLogFeed();
  for (const event of ['a', 'b', 'c']) write(feed, 'info', event);
  expect(follow(feed, everything, 2).events()).toEqual(['c']);
});

it.each<[LogFilter, string[]]>([
  [{ level: 'warn', words: [] }, ['http.slow', 'store.broken']],
  [{ level: 'debug', words: ['HTTP'] }, ['http.debug', 'http.slow']],
  [{ level: 'info', words: ['http', 'slow'] }, ['http.slow']],
  [{ level: 'error', words: ['http'] }, []],
])('filters by level and words: %j', (filter, events) => {
  const feed = createLogFeed();
  write(feed, 'debug', 'http.debug');
  write(feed, 'info', 'smtp.started');
  write(feed, 'warn', 'http.slow');
  write(feed, 'fatal', 'store.broken');
  expect(follow(feed, filter).events()).toEqual(events);
});

it('loses the oldest lines of a follower that takes none, and tells how many', () => {
  const feed = createLogFeed();
  const follower = follow(feed);
  for (let at = 0; at < 1700; at++) write(feed, 'info', `line ${at}`);
  const first = follower.take(100);
  expect([first.missed, first.lines.length]).toEqual([1200, 100]);
  expect(first.lines[0]?.number).toBe(1201);
  expect(follower.take(1000)).toMatchObject({ missed: 0, lines: { length: 400 } });
});

it('holds a bounded number of characters, for a follower and in all', () => {
  const feed = createLogFeed();
  const follower = follow(feed);
  const long = 'x'.repeat(10_000);
  for (let at = 0; at < 500; at++) write(feed, 'info', long);
  const held = feed.recent().reduce((sum, { text }) => sum + text.length, 0);
  expect(held).toBeLessThanOrEqual(1024 * 1024);
  expect(feed.recent().at(-1)?.number).toBe(500);
  const { lines, missed } = follower.take(1000);
  expect(lines.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(512 * 1024);
  expect(lines.length + missed).toBe(500);
});

it('keeps the newest thousand lines, and replaces one that is far too long', () => {
  const feed = createLogFeed();
  for (let at = 0; at < 5000; at++) write(feed, 'info', `line ${at}`);
  expect(feed.recent().length).toBeLessThanOrEqual(1000);
  expect(feed.recent().length).toBeGreaterThan(800);
  write(feed, 'error', 'x'.repeat(100_000));
  expect(feed.recent().at(-1)).toMatchObject({
    level: 'error',
    text: expect.stringMatching(/^\{"level":"error","event":"log\.long_line"/) as string,
  });
});
