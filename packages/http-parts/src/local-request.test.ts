import { expect, it } from 'vitest';

import { isLocalRequest, type LocalRequest } from './local-request.ts';

function isLocal({ headers, ...rest }: Partial<LocalRequest> = {}): boolean {
  const whole = { host: '127.0.0.1:8080', ...headers };
  return isLocalRequest({ peer: '127.0.0.1', httpVersion: '1.1', target: '/', ...rest, headers: whole });
}

it.each([
  { host: 'localhost:8080' },
  { host: '[::1]:8080' },
  { host: 'app.localhost' },
  { 'user-agent': 'curl/8', accept: '*/*', 'x-api-key': 'mk_x', 'x-requested-with': 'XMLHttpRequest' },
  { 'sec-fetch-mode': 'cors', 'accept-language': '*', 'accept-encoding': 'br', connection: 'keep-alive' },
  { host: 'localhost:8080', origin: 'http://localhost:8080', 'sec-fetch-site': 'same-origin' },
  { traceparent: '00-1', 'content-type': 'application/json', 'content-length': '2', 'last-event-id': '1' },
])('takes %j on loopback for local', (headers) => {
  for (const peer of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) expect(isLocal({ peer, headers })).toBe(true);
});

it('takes no other peer for local', () => {
  for (const peer of ['192.0.2.1', '', '::ffff:192.0.2.1']) expect(isLocal({ peer })).toBe(false);
});

it.each([
  'mail.example.org',
  '192.0.2.1:8080',
  'localhost.evil.example',
  'mayfly',
  '',
  'a b',
  '127.0.0.1.nip.io',
])('takes no request for the host %j for local', (host) => {
  expect(isLocal({ headers: { host } })).toBe(false);
});

it.each([
  ...[
    'forwarded',
    'x-forwarded',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-forwarded-port',
  ],
  ...['x-forwarded-server', 'x-forwarded-prefix', 'x-forwarded-client-cert', 'x-original-forwarded-for'],
  ...[
    'x-real-ip',
    'x-client-ip',
    'x-cluster-client-ip',
    'true-client-ip',
    'client-ip',
    'http-client-ip',
    'via',
  ],
  ...[
    'cf-connecting-ip',
    'cf-ray',
    'cf-visitor',
    'cdn-loop',
    'fastly-client-ip',
    'fly-client-ip',
    'fly-region',
  ],
  ...[
    'x-envoy-external-address',
    'x-azure-clientip',
    'x-appengine-user-ip',
    'x-amzn-trace-id',
    'x-request-id',
  ],
  ...[
    'x-original-url',
    'x-proxyuser-ip',
    'wl-proxy-client-ip',
    'proxy-client-ip',
    'remote-addr',
    'remote_addr',
  ],
  ...['x_forwarded_for', 'http_x_forwarded_for', 'do-connecting-ip', 'ali-cdn-real-ip', 'x-vercel-id'],
  ...['tailscale-user-login', 'ngrok-agent-ips', 'akamai-origin-hop', 'cloudfront-viewer-address'],
])('takes no request with %s for local, whatever it says', (name) => {
  for (const value of ['127.0.0.1', '']) expect(isLocal({ headers: { [name]: value } })).toBe(false);
});

it.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://127.0.0.1:3000' },
  { origin: 'http://localhost:8080' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('takes no request of another page for local: %j', (headers) => {
  expect(isLocal({ headers })).toBe(false);
});

it('takes no request in a form of proxies for local', () => {
  expect(isLocal({ target: 'http://127.0.0.1:8080/' })).toBe(false);
  expect(isLocal({ httpVersion: '1.0' })).toBe(false);
});
