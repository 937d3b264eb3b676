import { describe, expect, it } from 'vitest';

import type { Envelope, MessageMeta, MessageSource } from '../../domain/message.ts';
import { traceFields } from './trace-fields.ts';

const stamp = { hostname: 'mx.mayfly.test', at: Date.UTC(2026, 0, 2, 3, 4, 5) };

function metaOf(envelope: Partial<Envelope> = {}, source: Partial<MessageSource> = {}): MessageMeta {
  return {
    senderName: '',
    senderEmail: '',
    subject: '',
    envelope: { mailFrom: 'sender@example.org', rcptTo: ['fox@mayfly.test'], ...envelope },
    source: { protocol: 'ESMTP', remoteAddress: '192.0.2.7', helo: 'client.example', tls: null, ...source },
    ingestId: 'abc000001',
  };
}

describe('traceFields', () => {
  it('are Return-Path and Received as RFC 5321 §4.4 has them', () => {
    expect(traceFields(metaOf(), stamp)).toBe(
      'Return-Path: <sender@example.org>\r\n' +
        'Received: from client.example ([192.0.2.7])\r\n' +
        '\tby mx.mayfly.test with ESMTP id abc000001\r\n' +
        '\tfor <fox@mayfly.test>;\r\n' +
        '\tFri, 02 Jan 2026 03:04:05 +0000\r\n',
    );
  });

  it('name the null path, an IPv6 address, TLS and a silent client', () => {
    const fields = traceFields(
      metaOf(
        { mailFrom: null },
        { remoteAddress: '2001:db8::1', helo: '', tls: 'TLSv1.3 TLS_AES_256', protocol: 'ESMTPS' },
      ),
      stamp,
    );
    expect(fields).toContain('Return-Path: <>\r\n');
    expect(fields).toContain('from unknown ([IPv6:2001:db8::1])\r\n');
    expect(fields).toContain('with ESMTPS (TLSv1.3 TLS_AES_256) id');
  });

  it('name the service that handed the message over, whose address is unknown', () => {
    const fields = traceFields(metaOf({}, { protocol: 'HTTP', remoteAddress: '', helo: 'mailgun' }), stamp);
    expect(fields).toContain('Received: from mailgun\r\n\tby mx.mayfly.test with HTTP id abc000001\r\n');
  });

  it('name no recipient where there were several', () => {
    const fields = traceFields(metaOf({ rcptTo: ['a@mayfly.test', 'b@mayfly.test'] }), stamp);
    expect(fields).not.toContain('for <');
    expect(fields).not.toContain('mayfly.test>');
    expect(traceFields(metaOf({ rcptTo: [] }), stamp)).not.toContain('for <');
  });
});

describe('claims of a sender about itself', () => {
  const hostile = [
    'x\r\nBcc: victim@example.org',
    'x\nSubject: fake',
    'x\rY: z',
    'x\0y',
    'x\u0085Y: z',
    'x\u2028Y: z',
    'x\u2029Y: z',
    'x\x1b[31m',
    'x\r\n\r\n<script>',
    'x\v\f',
  ];

  it.each(hostile)('never adds a field or ends the header: %j', (text) => {
    const expected = traceFields(metaOf(), stamp).split('\r\n').length;
    const metas = [
      metaOf({}, { helo: text }),
      metaOf({}, { tls: text }),
      metaOf({ mailFrom: `${text}@example.org` }),
      metaOf({ rcptTo: [`${text}@mayfly.test`] }),
    ];
    for (const meta of metas) {
      const fields = traceFields(meta, stamp);
      expect(fields.replaceAll(/\r\n\t?/g, '')).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      const names = fields
        .split('\r\n')
        .filter((line) => /^[^\s]/.test(line))
        .map((line) => line.split(':')[0]);
      expect(names).toEqual(['Return-Path', 'Received']);
      expect(fields.split('\r\n')).toHaveLength(expected);
    }
  });

  it('cannot close the comment, and is cut', () => {
    const fields = traceFields(metaOf({}, { helo: `a) by evil.example (\\${'b'.repeat(1000)}` }), stamp);
    expect(fields).toMatch(/^Received: from a\?\?by\?evil\.example\?\?\?b{200,240} \(\[192\.0\.2\.7\]\)\r$/m);
  });

  it('keeps UTF-8 of an address as it came', () => {
    expect(traceFields(metaOf({ mailFrom: 'füchse@例え.テスト' }), stamp)).toContain('<füchse@例え.テスト>');
  });
});
