import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { type Maildir, type MaildirMessage, openMaildir } from './maildir.ts';

let folder: string;

beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'mayfly-maildir-')), 'operator');
});
afterEach(() => {
  rmSync(join(folder, '..'), { recursive: true });
});

const kept = { withdraw: expect.any(Function) as unknown };

function openHere(limits: { messagesMax?: number; bytesMax?: number } = {}): Maildir {
  return openMaildir({
    folder,
    toWriteError: (error) => error,
    messagesMax: Infinity,
    bytesMax: Infinity,
    ...limits,
  });
}

function messageOf(...texts: readonly string[]): MaildirMessage {
  const pieces = texts.map((text) => Buffer.from(text));
  return { sizeBytes: pieces.reduce((sum, { length }) => sum + length, 0), pieces };
}

function filesIn(name: 'tmp' | 'new' | 'cur'): string[] {
  return readdirSync(join(folder, name));
}

describe('a message', () => {
  it('is one whole file in new, and nothing is left in tmp', async () => {
    expect(await openHere().deliver(messageOf('Subject: a\r\n', '\r\n', 'b\r\n'))).toMatchObject(kept);
    const [file = ''] = filesIn('new');
    expect(readFileSync(join(folder, 'new', file), 'utf8')).toBe('Subject: a\r\n\r\nb\r\n');
    expect([filesIn('new').length, filesIn('tmp'), filesIn('cur')]).toEqual([1, [], []]);
  });

  it('is in no place but tmp while it is being written', async () => {
    const seen: unknown[] = [];
    function* pieces(): Generator<Buffer> {
      yield Buffer.from('first');
      seen.push([filesIn('tmp').length, filesIn('new').length]);
      yield Buffer.from('second');
    }
    await openHere().deliver({ sizeBytes: 11, pieces: pieces() });
    expect(seen).toEqual([[1, 0]]);
    expect(filesIn('new')).toHaveLength(1);
  });

  it('that cannot be read to its end leaves nothing, and does not count', async () => {
    const mailbox = openHere({ messagesMax: 1 });
    function* pieces(): Generator<Buffer> {
      yield Buffer.from('first');
      throw new Error('lost');
    }
    await expect(mailbox.deliver({ sizeBytes: 5, pieces: pieces() })).rejects.toThrow('lost');
    expect([filesIn('tmp'), filesIn('new')]).toEqual([[], []]);
    expect(await mailbox.deliver(messageOf('next'))).toMatchObject(kept);
  });

  it('is for the owner alone', async () => {
    await openHere().deliver(messageOf('a'));
    const modes = [folder, 'new', join('new', filesIn('new')[0] ?? '')].map((name) =>
      (statSync(name === folder ? folder : join(folder, name)).mode & 0o777).toString(8),
    );
    expect(modes).toEqual(['700', '700', '600']);
  });

  it('has a name as Maildir wants it, and a hundred at once have a hundred', async () => {
    const mailbox = openHere();
    await Promise.all(Array.from({ length: 100 }, (_, at) => mailbox.deliver(messageOf(`${at}`))));
    const texts = filesIn('new').map((file) => readFileSync(join(folder, 'new', file), 'utf8'));
    expect(texts.map(Number).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, at) => at));
    for (const file of filesIn('new')) expect(file).toMatch(/^\d{10}\.P\d+Q\d+R[0-9a-f]{12}\.[^/:]+$/);
  });
});

describe('its bounds', () => {
  it('on messages hold, those that were read among them', async () => {
    const mailbox = openHere({ messagesMax: 3 });
    writeFileSync(join(folder, 'cur', 'read'), 'x');
    const outcomes = [];
    for (let count = 0; count < 4; count++) outcomes.push(await mailbox.deliver(messageOf('x')));
    expect(outcomes).toMatchObject([kept, kept, 'full', 'full']);
    expect(filesIn('new')).toHaveLength(2);
  });

  it('on bytes are asked before a message to the byte, and passed by one that was accepted below them', async () => {
    const mailbox = openHere({ bytesMax: 10 });
    expect(await Promise.all([11, 10, 0].map((size) => mailbox.isFull(size)))).toEqual([true, false, false]);
    expect(await mailbox.deliver(messageOf('x'.repeat(9)))).toMatchObject(kept);
    expect(await Promise.all([2, 1, 0].map((size) => mailbox.isFull(size)))).toEqual([true, false, false]);
    expect(await mailbox.deliver(messageOf('xx'))).toMatchObject(kept);
    expect(await mailbox.isFull(0)).toBe(true);
    expect(await mailbox.deliver(messageOf('x'))).toBe('full');
  });

  it('have room again for what was withdrawn', async () => {
    const mailbox = openHere({ messagesMax: 1 });
    const message = await mailbox.deliver(messageOf('x'));
    if (message === 'full') throw new Error('The mailbox was empty.');
    await message.withdraw();
    expect(filesIn('new')).toEqual([]);
    expect(await mailbox.deliver(messageOf('y'))).toMatchObject(kept);
  });

  it('hold for many at once', async () => {
    const mailbox = openHere({ messagesMax: 10 });
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => mailbox.deliver(messageOf('x'))));
    expect(outcomes.filter((outcome) => outcome !== 'full')).toHaveLength(10);
    expect(filesIn('new')).toHaveLength(10);
  });

  it('hold after a restart', async () => {
    await openHere().deliver(messageOf('x'));
    expect(await openHere({ messagesMax: 1 }).deliver(messageOf('x'))).toBe('full');
  });
});

describe('an operator', () => {
  it('makes room within seconds by deleting mail', async () => {
    const clock = { now: performance.now() };
    const { now } = performance;
    performance.now = () => clock.now;
    try {
      const mailbox = openHere({ messagesMax: 1 });
      await mailbox.deliver(messageOf('x'));
      rmSync(join(folder, 'new', filesIn('new')[0] ?? ''));
      clock.now += 5001;
      expect(await mailbox.deliver(messageOf('y'))).toMatchObject(kept);
    } finally {
      performance.now = now;
    }
  });

  it('gets a new folder with the next message after removing it', async () => {
    const mailbox = openHere();
    await mailbox.deliver(messageOf('x'));
    rmSync(folder, { recursive: true });
    expect(await mailbox.deliver(messageOf('y'))).toMatchObject(kept);
    expect(filesIn('new')).toHaveLength(1);
  });
});

describe('a restart', () => {
  it('clears away what was half-written, and nothing that is not ours', () => {
    openHere();
    writeFileSync(join(folder, 'tmp', '1700000000.P12Q3R00112233aabb.mx.test'), 'half');
    writeFileSync(join(folder, 'tmp', 'of-another-program'), 'whole');
    openHere();
    expect(filesIn('tmp')).toEqual(['of-another-program']);
  });
});
