import fs from 'node:fs';

import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { createLogger } from './create-logger.ts';

let lines: string[];

/** Captures the logger's output to standard error. */
beforeEach(() => {
  lines = [];
  const write = vi.spyOn(fs, 'writeSync').mockImplementation((fd: number, text: string | Uint8Array) => {
    expect(fd).toBe(2);
    const piece = typeof text === 'string' ? text : Buffer.from(text).toString();
    lines.push(piece);
    return Buffer.byteLength(piece);
  });
  onTestFinished(() => {
    write.mockRestore();
  });
});

function entries(): Record<string, unknown>[] {
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

describe('createLogger', () => {
  it('writes one JSON line on standard error, with level, time and event', () => {
    createLogger('info').info('smtp.received', { ingestId: 'abc', sizeBytes: 5 });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(entries()).toEqual([
      {
        level: 'info',
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
        event: 'smtp.received',
        ingestId: 'abc',
        sizeBytes: 5,
      },
    ]);
  });

  it('leaves out what is less severe than its level', () => {
    const log = createLogger('warn');
    log.debug('a');
    log.info('b');
    log.warn('c');
    log.error('d');
    expect(entries().map(({ level, event }) => [level, event])).toEqual([
      ['warn', 'c'],
      ['error', 'd'],
    ]);
  });

  it('says nothing when it is silent, everything when it traces', () => {
    createLogger('silent').error('a');
    expect(lines).toEqual([]);
    const log = createLogger('trace');
    log.debug('b');
    expect(entries()).toMatchObject([{ level: 'debug', event: 'b' }]);
  });

  it('writes an error with its stack and its cause, and what is none as it is', () => {
    const log = createLogger('info');
    log.error('a', { error: new Error('outer', { cause: new Error('inner') }) });
    log.error('b', { error: 'a text' });
    const [first, second] = entries();
    expect(first?.['error']).toMatchObject({
      type: 'Error',
      message: expect.stringContaining('outer') as string,
    });
    expect(JSON.stringify(first)).toContain('create-logger.test.ts');
    expect(JSON.stringify(first)).toContain('inner');
    expect(second?.['error']).toBe('a text');
  });

  it('keeps one line whatever a sender put into a field', () => {
    createLogger('info').info('smtp.refused', { helo: 'a\r\n{"event":"fake"}\u2028\x1b[31m"\0' });
    expect(lines.join('').match(/\n/g)).toHaveLength(1);

    expect(lines.join('').trimEnd()).not.toMatch(/[\x00-\x1f]/);
    expect(entries()[0]).toMatchObject({
      event: 'smtp.refused',
      helo: 'a\r\n{"event":"fake"}\u2028\x1b[31m"\0',
    });
  });

  it('writes no secret, in whatever field or text it comes', () => {
    const token = `mf_${'A1b2-_'.repeat(7)}`;
    createLogger('info').info('a', {
      token: 'plain-1',
      request: { authorization: 'plain-2', password: 'plain-3' },
      url: `/check-mail?token=${token}`,
      error: new Error(`no session ${token} for whsec_${'Zz'.repeat(20)}`),
    });
    const text = lines.join('');
    expect(text).not.toMatch(/plain-\d|A1b2|ZzZz/);
    expect(entries()[0]).toMatchObject({ token: '…', url: '/check-mail?token=mf_…' });
  });

  it('tells of every line, by its level', () => {
    const levels: string[] = [];
    const log = createLogger('error', { onLine: (level) => levels.push(level) });
    log.debug('a');
    log.error('b');
    expect(levels).toEqual(['debug', 'error']);
  });
});
