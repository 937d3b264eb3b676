// Mailpit's dialect: storing mail by HTTP, and chaos.

import { describe, expect, it } from 'vitest';

import { testLimits } from '../support/service/test-deps.ts';
import { bearer, startCompat } from './compat-harness.ts';
import { ask, type HttpAnswer } from './http-harness.ts';
import { openMailpit } from './mailpit-client.ts';

describe('send', () => {
  it('stores a message in the session', async () => {
    const { get, send, id } = await openMailpit();
    const sent = await send('POST', '/api/v1/send', {
      From: { Email: 'me@example.org', Name: 'Größe' },
      To: [{ Email: 'you@example.org', Name: 'You, "there"' }],
      Bcc: ['hidden@example.org'],
      Subject: 'Grüße 😀',
      Text: 'Text ä',
      HTML: '<p>HTML ä</p>',
      Headers: { 'X-Test': 'one' },
      Attachments: [
        { Content: 'YWJj', Filename: 'ü.txt', ContentType: 'text/plain' },
        {
          Content: 'data:image/png;base64,YWJj',
          Filename: 'i.png',
          ContentType: 'image/png',
          ContentID: 'pic',
        },
      ],
    });
    expect(sent.json).toEqual({ ID: id(1) });
    const message = (await get('/api/v1/message/{1}')).json;
    expect(message).toMatchObject({
      From: { Name: 'Größe', Address: 'me@example.org' },
      To: [{ Name: 'You, "there"', Address: 'you@example.org' }],
      Subject: 'Grüße 😀',
      Text: 'Text ä',
      HTML: '<p>HTML ä</p>',
      Attachments: [{ FileName: 'ü.txt', Size: 3 }],
      Inline: [{ FileName: 'i.png', ContentID: 'pic', Size: 3 }],
    });
    expect((await get('/api/v1/message/{1}/headers')).json['X-Test']).toEqual(['one']);
  });

  it('asks the session’s quota with the size of the message, which is then known', async () => {
    const harness = await startCompat();
    const { token, session } = await harness.lend('fox');
    const room = 1000;
    const sizeBytes = testLimits.sessionBytes - room;
    await harness.store.mail.deliver([
      { key: session.key, sizeBytes, meta: Buffer.from('m'), raw: [Buffer.from('x')] },
    ]);
    const answer = await ask(harness, '/api/v1/send', {
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: JSON.stringify({
        From: { Email: 'me@example.org' },
        To: [{ Email: 'you@example.org' }],
        Text: 'x'.repeat(room),
      }),
    });
    expect(answer).toMatchObject({
      status: 400,
      json: { Error: 'The session is full; delete messages first.' },
    });
  });

  it.each<[name: string, body: unknown]>([
    ['an address that is none', { From: { Email: 'me@example.org' }, To: [{ Email: 'nobody' }] }],
    ['a line end in a name', { From: { Email: 'me@example.org', Name: 'x\r\nBcc: a@b' }, To: [] }],
    ['a line end in a header', { From: { Email: 'me@example.org' }, Headers: { X: 'a\r\nB: c' } }],
    ['a header of ours', { From: { Email: 'me@example.org' }, Headers: { subject: 'x' } }],
    ['no base64', { From: { Email: 'me@example.org' }, Attachments: [{ Content: '%%', Filename: 'x' }] }],
    ['no sender', {}],
    ['no recipient', { From: { Email: 'me@example.org' }, Text: 'x' }],
    ['a list that is none', { From: { Email: 'me@example.org' }, To: 'you@example.org' }],
    ['an array', []],
  ])('refuses %s in JSON', async (_name, body) => {
    const { send } = await openMailpit();
    const answer = await send('POST', '/api/v1/send', body);
    expect(answer.status).toBe(400);
    expect(typeof answer.json.Error).toBe('string');
  });
});

describe('chaos', () => {
  it('is a capture session’s set of fault rules', async () => {
    const harness = await startCompat();
    const { token, session } = await harness.services.createCaptureSession({});
    const headers = bearer(token);
    const off = { ErrorCode: 451, Probability: 0 };
    const chaos = '/api/v1/chaos';
    const put = (body: unknown): Promise<HttpAnswer> =>
      ask(harness, chaos, { method: 'PUT', headers, body: JSON.stringify(body) });
    const none = { Authentication: off, Recipient: off, Sender: off };
    expect((await ask(harness, chaos, { headers })).json).toEqual(none);
    const wanted = { Recipient: { ErrorCode: 550, Probability: 20 } };
    expect((await put(wanted)).json).toEqual({ ...none, ...wanted });
    expect(harness.services.showSmtpFaults(session)).toMatchObject([
      { stage: 'rcpt', code: 550, probability: 20 },
    ]);
    for (const wrong of [
      { Sender: { ErrorCode: 250, Probability: 1 } },
      { Sender: { Probability: 101 } },
      5,
    ]) {
      expect((await put(wrong)).status).toBe(400);
    }
    expect((await ask(harness, chaos, { headers })).json).toEqual({ ...none, ...wanted });
    expect((await put({})).json).toEqual(none);
    expect(harness.services.showSmtpFaults(session)).toEqual([]);
  });
});
