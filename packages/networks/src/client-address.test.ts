import { describe, expect, it } from 'vitest';

import { createClientAddressReader } from './client-address.ts';

const trustedProxies = ['10.0.0.0/8', '2001:db8:ff::/48', '127.0.0.1'];
const read = createClientAddressReader({ trustedProxies, proxyHeader: 'x-forwarded-for' });
const readForwarded = createClientAddressReader({ trustedProxies, proxyHeader: 'forwarded' });

describe('X-Forwarded-For', () => {
  it.each([
    ['10.0.0.1', undefined, '10.0.0.1'],
    ['10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['::ffff:10.0.0.1', '192.0.2.7', '192.0.2.7'],
    ['10.0.0.1', '192.0.2.7:4711', '192.0.2.7'],
    ['10.0.0.1', '2001:db8::7', '2001:db8::7'],
    ['10.0.0.1', '[2001:db8::7]:4711', '2001:db8::7'],
    ['10.0.0.1', '::ffff:192.0.2.7', '192.0.2.7'],
    ['10.0.0.1', '192.0.2.7, 10.2.3.4, 10.9.9.9', '192.0.2.7'],
    ['2001:db8:ff::1', '192.0.2.7', '192.0.2.7'],
    ['127.0.0.1', '10.0.0.1', '10.0.0.1'],
  ])('from %s with the value %s gives %s', (peer, field, address) => {
    expect(read(peer, field)).toBe(address);
  });

  it('is not believed of a peer that is no named proxy', () => {
    expect(read('192.0.2.1', '198.51.100.1')).toBe('192.0.2.1');
    expect(read('', '198.51.100.1')).toBe('');
    const untrusting = createClientAddressReader({ trustedProxies: [], proxyHeader: 'x-forwarded-for' });
    expect(untrusting('127.0.0.1', '198.51.100.1')).toBe('127.0.0.1');
  });

  it('that a client made up before the proxies is never reached', () => {
    expect(read('10.0.0.1', '10.0.0.2, 127.0.0.1, 203.0.113.9, 192.0.2.7')).toBe('192.0.2.7');
    expect(read('10.0.0.1', '203.0.113.9, 192.0.2.7, 10.0.0.3')).toBe('192.0.2.7');
    expect(read('10.0.0.1', `${'203.0.113.9,'.repeat(1000)}192.0.2.7`)).toBe('192.0.2.7');
  });

  it.each([
    'unknown',
    '_hidden',
    '',
    ' ',
    'example.org',
    '999.1.1.1',
    '192.0.2.7 evil',
    '1',
    '[::1',
    '::1]:5',
  ])('that ends in %j leaves the client at the proxy that wrote it', (nonsense) => {
    expect(read('10.0.0.1', nonsense)).toBe('10.0.0.1');
    expect(read('10.0.0.1', `192.0.2.7, ${nonsense}`)).toBe('10.0.0.1');
    expect(read('10.0.0.1', `192.0.2.7, ${nonsense}, 10.0.0.2`)).toBe('10.0.0.2');
  });

  it('is followed through so many proxies at most', () => {
    expect(read('10.0.0.1', `192.0.2.7${', 10.0.0.5'.repeat(50)}`)).toBe('10.0.0.5');
  });
});

describe('Forwarded', () => {
  it.each([
    ['for=192.0.2.7', '192.0.2.7'],
    ['For="192.0.2.7:4711";proto=https;by=10.0.0.1', '192.0.2.7'],
    ['for="[2001:db8::7]:4711"', '2001:db8::7'],
    ['for=203.0.113.9, for=192.0.2.7;proto=http, for=10.0.0.5', '192.0.2.7'],
    ['by=10.0.0.1;for=192.0.2.7', '192.0.2.7'],
    ['for=192.0.2.7;host="a,for=203.0.113.9"', '192.0.2.7'],
    ['for=203.0.113.9;host="a, for=203.0.113.9;x=", for=192.0.2.7', '192.0.2.7'],
    ['for=203.0.113.9 , for=192.0.2.7 ;proto=http', '192.0.2.7'],
    ['for=203.0.113.9, nonsense, for=192.0.2.7', '192.0.2.7'],
    ['for=203.0.113.9, nonsense', '10.0.0.1'],
    ['for=unknown', '10.0.0.1'],
    ['for=_secret', '10.0.0.1'],
    ['for="_gazonk"', '10.0.0.1'],
    ['proto=https', '10.0.0.1'],
    ['for=192.0.2.7, proto=https', '10.0.0.1'],
    ['', '10.0.0.1'],
    ['nonsense', '10.0.0.1'],
  ])('saying %s is %s', (field, address) => {
    expect(readForwarded('10.0.0.1', field)).toBe(address);
  });
});
