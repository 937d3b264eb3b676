import { expect, it } from 'vitest';

import { readHeaderFields } from '@mayfly/mail-reader/header';
import { readTrace } from './read-trace.ts';

function trace(...lines: readonly string[]) {
  const raw = Buffer.from([...lines, '', ''].join('\r\n'));
  return readTrace(readHeaderFields(raw, 0, { bytesMax: raw.length, fieldsMax: 1000 }).fields);
}

it('tells who handed the message to the server, and over what', () => {
  expect(
    trace(
      'Return-Path: <bounce@shop.example>',
      'Received: from mail.shop.example (mail.shop.example. [192.0.2.7])',
      ' by mx.google.com with ESMTPS id a1 for <a.b@gmail.com>',
      ' (version=TLS1_3 cipher=TLS_AES_256_GCM_SHA384 bits=256/256); Sat, 21 Nov 2026 02:00:00 -0800',
      'Received: from other (other [198.51.100.9]) by mail.shop.example; x',
    ),
  ).toMatchObject({
    mailFrom: 'bounce@shop.example',
    receivedFor: { localPart: 'a.b', domain: 'gmail.com' },
    remote: {
      remoteAddress: '192.0.2.7',
      helo: 'mail.shop.example',
      tls: 'TLS1_3 TLS_AES_256_GCM_SHA384',
    },
  });
});

it('reads IPv6, and nothing that is no address', () => {
  const of = (client: string): string =>
    trace(`Received: from ${client} by mx.google.com; x`).remote.remoteAddress;
  expect(of('a (b [2001:DB8::1])')).toBe('2001:db8::1');
  expect(of('a (b [IPv6:2001:db8::2])')).toBe('2001:db8::2');
  expect(of('[203.0.113.1] (b [192.0.2.7])')).toBe('192.0.2.7');
  expect(of('a (b [::::])')).toBe('');
  expect(of('a')).toBe('');
});

it('has no sender for a bounce, a forged Return-Path, or a message without a trace', () => {
  expect(trace('Return-Path: <>', 'Received: from a by b; x').mailFrom).toBeNull();
  expect(trace('Received: from a by b; x', 'Return-Path: <a@b.example>').mailFrom).toBeNull();
  expect(trace('Subject: x')).toMatchObject({
    mailFrom: null,
    receivedFor: undefined,
    remote: { remoteAddress: '', helo: '', tls: null },
  });
});
