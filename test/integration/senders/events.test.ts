// Delivery events: signed as each service signs, for mail that is stored, and tried again.

import { createHmac, createPublicKey, verify, X509Certificate } from 'node:crypto';

import { expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';

import { createSafeFetch } from '#networks/safe-fetch';
import { createSenderEvents, type SenderEvents } from '../../../src/compat/senders/events/sender-events.ts';
import type { Logger } from '#telemetry/logger';
import { type ReceivedWebhook, startSink } from '../../support/servers/webhook-sink.ts';
import { openSender } from './open-sender.ts';

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const address = 'a@x.example';
const silent = (): void => undefined;
const silentLog: Logger = { debug: silent, info: silent, warn: silent, error: silent };

interface Sink {
  readonly events: SenderEvents;
  /** Resolves with the requests once there are as many. */
  received(count: number): Promise<readonly ReceivedWebhook[]>;
}

/** A listener for the events of one service; it refuses the first `failures` requests. */
async function openSink(service: string, failures = 0): Promise<Sink> {
  const sink = await startSink();
  sink.answer = (_, response) => {
    const isRefused = sink.received.length <= failures;
    response.writeHead(isRefused ? 503 : 200).end();
  };
  const fetch = createSafeFetch({ schemes: ['http'], ports: [sink.port], allow: ['127.0.0.1'] });
  const target = { url: `http://127.0.0.1:${sink.port}/hook`, authorization: 'Basic dTpw', fetch };
  const targets = new Map([[service, target]]);
  const events = createSenderEvents({ targets, secret, log: silentLog, delaysMs: [1, 1, 1] });
  return {
    events,
    received: async (count) => {
      await expect.poll(() => sink.received.length).toBe(count + failures);
      return sink.received.slice(failures);
    },
  };
}

const bearer = (prefix: string) => (token: string) => ({ authorization: `Bearer ${prefix}${token}` });

it('signs Resend’s by Svix’s scheme, and tries again', async () => {
  const { events, received } = await openSink('resend', 2);
  const sender = await openSender(bearer('re_'), { senderEvents: events });
  const answer = await sender.post('/emails', { from: address, to: 'b@x.example', subject: 'Hi', text: 'x' });
  const [sent, delivered] = await received(2);
  const verified = [sent, delivered].map((one) => {
    const headers = Object.entries(one?.headers ?? {}).map(([name, value]) => [
      name.replace('svix-', 'webhook-'),
      value,
    ]);
    return new Webhook(secret).verify(one?.body ?? '', Object.fromEntries(headers) as Record<string, string>);
  });
  const { id } = answer.json as { id: string };
  expect(verified).toMatchObject([
    { type: 'email.sent', data: { email_id: id, from: address, to: ['b@x.example'], subject: 'Hi' } },
    { type: 'email.delivered', data: { email_id: id } },
  ]);
});

it('signs SendGrid’s with a key whose public part it shows', async () => {
  const { events, received } = await openSink('sendgrid');
  const sender = await openSender(bearer('SG.'), { senderEvents: events });
  await sender.post('/v3/mail/send', {
    personalizations: [{ to: [{ email: address }] }],
    from: { email: address },
    subject: 'x',
    content: [{ type: 'text/plain', value: 'x' }],
    custom_args: { order: '7' },
    categories: ['c'],
  });
  const [one] = await received(1);
  const headers: Readonly<Record<string, string>> = one?.headers ?? {};
  const body = one?.body ?? '';
  const answer = await fetch(`${sender.harness.origin}/v3/user/webhooks/event/settings/signed`, {
    headers: bearer('SG.')(sender.token),
  });
  const { public_key: text } = (await answer.json()) as { public_key: string };
  const key = createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' });
  const name = 'x-twilio-email-event-webhook-';
  const signed = Buffer.from(String(headers[`${name}timestamp`]) + body);
  expect(verify('sha256', signed, key, Buffer.from(String(headers[`${name}signature`]), 'base64'))).toBe(
    true,
  );
  expect(JSON.parse(body)).toMatchObject([
    { event: 'processed', email: address, order: '7', category: ['c'] },
    { event: 'delivered', email: address },
  ]);
});

it('signs Mailgun’s by HMAC', async () => {
  const { events, received } = await openSink('mailgun');
  const sender = await openSender((token) => ({ authorization: `Basic ${btoa(`api:${token}`)}` }), {
    senderEvents: events,
  });
  const form = new URLSearchParams({
    from: address,
    to: address,
    text: 'x',
    'o:tag': 't',
    'v:a': 'b',
  }).toString();
  await sender.post('/v3/x.example/messages', form, { 'content-type': 'application/x-www-form-urlencoded' });
  const all = (await received(2)).map(
    ({ body }) => JSON.parse(body) as { signature: Record<string, string> },
  );
  for (const { signature } of all) {
    const { timestamp, token } = signature;
    const expected = createHmac('sha256', secret).update(`${timestamp}${token}`).digest('hex');
    expect(signature['signature']).toBe(expected);
  }
  expect(all).toMatchObject([
    { 'event-data': { event: 'accepted', recipient: address, tags: ['t'], 'user-variables': { a: 'b' } } },
    { 'event-data': { event: 'delivered' } },
  ]);
});

it('sends Postmark’s with the credentials of the URL', async () => {
  const { events, received } = await openSink('postmark');
  const sender = await openSender((token) => ({ 'x-postmark-server-token': token }), {
    senderEvents: events,
  });
  await sender.post('/email', { From: address, To: address, TextBody: 'x', Tag: 't', Metadata: { a: 'b' } });
  const [one] = await received(1);
  expect(one?.headers['authorization']).toBe('Basic dTpw');
  expect(JSON.parse(one?.body ?? '')).toMatchObject({
    RecordType: 'Delivery',
    Recipient: address,
    Tag: 't',
    Metadata: { a: 'b' },
  });
});

it('sends Brevo’s for each recipient', async () => {
  const { events, received } = await openSink('brevo');
  const sender = await openSender((token) => ({ 'api-key': token }), { senderEvents: events });
  await sender.post('/v3/smtp/email', {
    sender: { email: address },
    to: [{ email: address }],
    subject: 'x',
    textContent: 'x',
  });
  expect((await received(2)).map(({ body }) => JSON.parse(body) as object)).toMatchObject([
    { event: 'request', email: address },
    { event: 'delivered', email: address },
  ]);
});

it('signs SNS’s with the certificate it shows', async () => {
  const { events, received } = await openSink('ses');
  const sender = await openSender((token) => ({ authorization: `AWS4-HMAC-SHA256 Credential=${token}/a` }), {
    senderEvents: events,
  });
  await sender.post('/v2/email/outbound-emails', {
    FromEmailAddress: address,
    Destination: { ToAddresses: [address] },
    EmailTags: [{ Name: 'a', Value: 'b' }],
    Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } },
  });
  const [one] = await received(1);
  const note = JSON.parse(one?.body ?? '') as Record<string, string>;
  const pem = await (await fetch(String(note['SigningCertURL']))).text();
  const signed = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type'].map(
    (name) => `${name}\n${String(note[name])}\n`,
  );
  const { publicKey } = new X509Certificate(pem);
  const signature = Buffer.from(String(note['Signature']), 'base64');
  expect(verify('sha256', Buffer.from(signed.join('')), publicKey, signature)).toBe(true);
  expect(JSON.parse(String(note['Message']))).toMatchObject({
    notificationType: 'Delivery',
    mail: { destination: [address], tags: { a: ['b'] } },
    delivery: { recipients: [address] },
  });
});
