import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';

import { createWebhookSecret, parseWebhookSecret, signWebhook } from './webhook-signature.ts';

const now = Math.floor(Date.now() / 1000);
const content = { id: 'msg_1', timestamp: now, body: '{"type":"message.received","text":"ä"}' };
const [newer, older, foreign] = [createWebhookSecret(), createWebhookSecret(), createWebhookSecret()];

describe('signWebhook, checked by the library of the specification', () => {
  it('verifies under the secret', () => {
    const headers = signWebhook([newer], content);
    expect(new Webhook(newer).verify(content.body, headers)).toMatchObject({ type: 'message.received' });
  });

  it('verifies under either of two secrets in a rotation, and under no other', () => {
    const headers = signWebhook([newer, older], content);
    expect(headers['webhook-signature']!.split(' ')).toHaveLength(2);
    for (const secret of [newer, older]) new Webhook(secret).verify(content.body, headers);
    expect(() => new Webhook(foreign).verify(content.body, headers)).toThrow();
  });

  it.each([
    ['another body', signWebhook([newer], content), content.body.replace('text', 'test')],
    ['another id', { ...signWebhook([newer], content), 'webhook-id': 'msg_2' }, content.body],
    [
      'another time',
      { ...signWebhook([newer], content), 'webhook-timestamp': String(now + 1) },
      content.body,
    ],
    ['an old time', signWebhook([newer], { ...content, timestamp: now - 600 }), content.body],
  ])('does not verify with %s', (_what, headers, body) => {
    expect(() => new Webhook(newer).verify(body, headers)).toThrow();
  });

  it('makes the signature that the specification gives as its example of the algorithm', () => {
    const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const example = {
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: 1614265330,
      body: '{"test": 2432232314}',
    };
    expect(signWebhook([secret], example)['webhook-signature']).toBe(
      'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    );
  });
});

describe('parseWebhookSecret', () => {
  it('reads what createWebhookSecret makes', () => {
    expect(parseWebhookSecret(newer)).toHaveLength(32);
    expect(newer).not.toBe(older);
  });

  it.each([
    '',
    'secret',
    'whsec_',
    'whsec_!!!!',
    `whsec_${Buffer.alloc(23).toString('base64')}`,
    `whsec_${Buffer.alloc(65).toString('base64')}`,
    Buffer.alloc(32).toString('base64'),
  ])('is undefined for %j', (text) => {
    expect(parseWebhookSecret(text)).toBeUndefined();
  });
});
