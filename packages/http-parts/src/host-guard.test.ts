import { describe, expect, it } from 'vitest';

import { codeOf } from '../../system-errors/src/error-code.ts';
import { createHostGuard, type HostSettings } from './host-guard.ts';

function outcome(settings: Partial<HostSettings>, host: string | string[], url = '/'): string {
  const guard = createHostGuard({ host: '127.0.0.1', publicUrl: '', hosts: [], ...settings });
  try {
    guard({ url, httpVersion: '1.1', rawHeaders: [host].flat().flatMap((one) => ['Host', one]) });
    return 'served';
  } catch (error) {
    return codeOf(error) ?? 'no code';
  }
}

describe('on loopback without settings', () => {
  it.each([
    '127.0.0.1',
    '127.0.0.1:8080',
    '[::1]:8080',
    '192.0.2.1',
    'localhost',
    'LOCALHOST:1',
    'a.localhost',
    'localhost.',
  ])('serves %s', (host) => {
    expect(outcome({}, host)).toBe('served');
  });

  it.each([
    'evil.example',
    'evil.example:8080',
    'localhost.evil.example',
    'xlocalhost',
    '127.0.0.1.evil.example',
    '2130706433',
    '0x7f.1',
  ])('refuses %s', (host) => {
    expect(outcome({}, host)).toBe('wrong_host');
  });

  it('serves the host of the public URL, on any port', () => {
    const settings = { publicUrl: 'https://Mail.example.org' };
    expect(outcome(settings, 'mail.example.org')).toBe('served');
    expect(outcome(settings, 'mail.example.org:444')).toBe('served');
    expect(outcome(settings, 'mail.example.org.evil.example')).toBe('wrong_host');
  });
});

it('serves any host when it does not listen on loopback', () => {
  expect(outcome({ host: '0.0.0.0' }, 'anything.example')).toBe('served');
});

it('serves exactly the hosts that settings name, with their port where they have one', () => {
  const settings = { host: '0.0.0.0', hosts: ['a.example', 'b.example:8443', '[2001:db8::1]'] };
  for (const host of ['a.example', 'A.EXAMPLE:99', 'b.example:8443', '[2001:DB8::1]:5']) {
    expect(outcome(settings, host)).toBe('served');
  }
  for (const host of ['b.example', 'b.example:80', '127.0.0.1', 'localhost', 'x.a.example']) {
    expect(outcome(settings, host)).toBe('wrong_host');
  }
  expect(outcome({ hosts: ['*'] }, 'evil.example')).toBe('served');
});

it.each([
  [['127.0.0.1', '127.0.0.1']],
  [['127.0.0.1', 'evil.example']],
  [[]],
  [['']],
  [['a b']],
  [['a:b:c']],
  [['[::1']],
  [['http://a']],
  [['a@b']],
])('takes the Host fields %j for a malformed request', (hosts) => {
  expect(outcome({}, hosts)).toBe('malformed_request');
});

it('checks the host of an absolute target too', () => {
  expect(outcome({}, 'localhost', 'http://evil.example/domains')).toBe('wrong_host');
  expect(outcome({}, 'localhost', 'http://localhost/domains')).toBe('served');
});

it('serves HTTP/1.0 without a Host field', () => {
  const guard = createHostGuard({ host: '127.0.0.1', publicUrl: '', hosts: [] });
  expect(() => { guard({ url: '/', httpVersion: '1.0', rawHeaders: [] }); }).not.toThrow(); // prettier-ignore
});

describe('where requests without credentials see mail', () => {
  const open = { host: '0.0.0.0', isOpen: true } as const;

  it.each([
    ...['127.0.0.1:8025', '[::1]:8025', '192.0.2.7:8025', 'localhost:8025', 'app.localhost', 'localhost.'],
    ...['mail:8025', 'MAIL', 'my_mail-1:8025', '2130706433'],
  ])('serves %s on any address', (host) => {
    expect(outcome(open, host)).toBe('served');
    expect(outcome({ ...open, host: '127.0.0.1' }, host)).toBe('served');
  });

  it.each([
    ...['evil.example', 'evil.example:8025', 'mail.localhost.evil.example', '127.0.0.1.nip.io', 'mail.local'],
    ...['ai.', 'mail.:8025', 'host.docker.internal'],
  ])('refuses %s on any address', (host) => {
    expect(outcome(open, host)).toBe('wrong_host');
    expect(outcome({ ...open, host: '127.0.0.1' }, host)).toBe('wrong_host');
  });

  it('serves the hosts that settings name besides, and any for *', () => {
    const named = { ...open, hosts: ['host.docker.internal', 'mail.example:8025'] };
    for (const host of ['host.docker.internal:1', 'mail.example:8025', 'mail', '127.0.0.1']) {
      expect(outcome(named, host)).toBe('served');
    }
    expect(outcome(named, 'mail.example:80')).toBe('wrong_host');
    expect(outcome({ ...open, hosts: ['*'] }, 'evil.example')).toBe('served');
  });

  it('checks the host of an absolute target too', () => {
    expect(outcome(open, 'mail', 'http://evil.example/')).toBe('wrong_host');
  });
});
