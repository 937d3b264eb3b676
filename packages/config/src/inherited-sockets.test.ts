import { describe, expect, it } from 'vitest';

import { readInheritedSockets } from './inherited-sockets.ts';

function read(fds: string, names?: string, pid = '7') {
  return readInheritedSockets({ LISTEN_FDS: fds, LISTEN_PID: pid, LISTEN_FDNAMES: names }, 7);
}

describe('sockets that systemd opened', () => {
  it.each([
    ['2', 'smtp:http', { smtp: 3, http: 4 }],
    ['2', 'mayfly-http.socket:mayfly-smtp.socket', { http: 3, smtp: 4 }],
    ['1', 'mayfly.socket', { smtp: 3 }],
    ['1', undefined, { smtp: 3 }],
    ['1', 'http', { http: 3 }],
  ])('%s named %s', (fds, names, sockets) => {
    expect(read(fds, names)).toEqual(sockets);
  });

  it('are none when they are for another process, or there are none', () => {
    expect(read('1', 'smtp', '8')).toEqual({});
    expect(read('0', '')).toEqual({});
    expect(read('x', '')).toEqual({});
    expect(readInheritedSockets({}, 7)).toEqual({});
  });

  it('stop the start when a name is unknown or doubled', () => {
    expect(() => read('2', 'smtp:other')).toThrow('LISTEN_FDNAMES names a socket "other"');
    expect(() => read('2', 'smtp:mayfly-smtp.socket')).toThrow('more than one socket smtp');
    expect(() => read('2')).toThrow('LISTEN_FDNAMES');
  });
});
