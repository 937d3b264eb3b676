import { describe, expect, it } from 'vitest';

import { readCommandLine } from './command-line.ts';

describe('the command line', () => {
  it('is that of standard input without words', () => {
    expect(readCommandLine([], {})).toMatchObject({
      url: 'http://127.0.0.1:8080',
      apiKey: undefined,
      http: undefined,
      allowedHosts: [],
      proxies: { trustedProxies: [], proxyHeader: 'x-forwarded-for' },
    });
  });

  it.each([
    ['8090', { host: '127.0.0.1', port: 8090 }],
    ['0', { host: '127.0.0.1', port: 0 }],
    ['0.0.0.0:8090', { host: '0.0.0.0', port: 8090 }],
    ['[::1]:8090', { host: '::1', port: 8090 }],
    ['localhost:8090', { host: 'localhost', port: 8090 }],
  ])('takes --http %s', (text, http) => {
    expect(readCommandLine(['--http', text, '--allow-host', 'mcp.example'], {})).toMatchObject({
      http,
      allowedHosts: ['mcp.example'],
    });
  });

  it('takes proxies as the service does', () => {
    const proxies = {
      MAYFLY_MCP_TRUSTED_PROXIES: '127.0.0.1, fd00::/8,',
      MAYFLY_MCP_PROXY_HEADER: 'forwarded',
    };
    expect(readCommandLine([], proxies).proxies).toEqual({
      trustedProxies: ['127.0.0.1', 'fd00::/8'],
      proxyHeader: 'forwarded',
    });
  });

  it.each([
    [['--http', 'x'], {}, '--http takes PORT or HOST:PORT'],
    [['--http', '70000'], {}, '--http takes PORT or HOST:PORT'],
    [['--allow-host', 'a:80'], {}, '--allow-host takes a name in lower case, without a port'],
    [['--token', 'x'], {}, "Unknown option '--token'"],
    [[], { MAYFLY_URL: 'file:///etc/passwd' }, 'MAYFLY_URL is no http or https URL'],
    [[], { MAYFLY_URL: 'http://user:word@host' }, 'MAYFLY_URL has a user name or password'],
    [
      [],
      { MAYFLY_MCP_TRUSTED_PROXIES: '10.0.0.0/33' },
      'MAYFLY_MCP_TRUSTED_PROXIES takes IP addresses and blocks',
    ],
    [[], { MAYFLY_MCP_PROXY_HEADER: 'x-real-ip' }, 'MAYFLY_MCP_PROXY_HEADER is x-forwarded-for or forwarded'],
    [[], { MAYFLY_MCP_SECRET: 'short' }, 'MAYFLY_MCP_SECRET has fewer than 32 characters'],
  ])('refuses %j with %j', (words, environment, message) => {
    expect(() => readCommandLine(words, environment as Record<string, string>)).toThrow(message);
  });
});
