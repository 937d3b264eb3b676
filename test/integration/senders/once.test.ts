// Calls with a key for which a service carries them out once: Resend's Idempotency-Key, Brevo's idempotencyKey.

import { describe, expect, it } from 'vitest';

import { openSender, type SenderFixture } from './open-sender.ts';

const mail = { from: 'a@app.example', to: 'b@app.example', subject: 'Hello', text: 'Hi' };

describe('Resend', () => {
  const open = () => openSender((token) => ({ authorization: `Bearer re_${token}` }));
  const send = (sender: SenderFixture, key: string, body: unknown = mail, path = '/emails') =>
    sender.post(path, body, { 'idempotency-key': key });

  it('answers a repeated call as the first time, and stores nothing more', async () => {
    const sender = await open();
    const first = await send(sender, 'welcome/1');
    const again = await send(sender, 'welcome/1', mail, '/resend/emails');
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await sender.newest())?.headers['X-Resend-Message-Id']).toEqual([first.json.id]);
    expect(await sender.count()).toBe(1);
    const other = await send(sender, 'welcome/2');
    expect(other.json.id).not.toBe(first.json.id);
    expect(await sender.count()).toBe(2);
  });

  it('repeats a batch as a whole, also one of which only a part was stored', async () => {
    const sender = await open();
    const batch = [mail, { ...mail, subject: 'Second' }];
    const first = await send(sender, 'batch/1', batch, '/emails/batch');
    const again = await send(sender, 'batch/1', batch, '/emails/batch');
    expect(again.text).toBe(first.text);
    expect(first.json.data).toHaveLength(2);
    expect(await sender.count()).toBe(2);
  });

  it('refuses the key for another payload', async () => {
    const sender = await open();
    await send(sender, 'welcome/1');
    const other = await send(sender, 'welcome/1', { ...mail, subject: 'Other' });
    expect([other.status, other.json]).toEqual([
      409,
      expect.objectContaining({ statusCode: 409, name: 'invalid_idempotent_request' }),
    ]);
    expect(await sender.count()).toBe(1);
  });

  it('stores one mail of many calls at once', async () => {
    const sender = await open();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(sender, 'at-once')));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await sender.count()).toBe(1);
  });

  it('remembers a key for a day', async () => {
    const sender = await open();
    const extend = () => sender.harness.services.extendSession(sender.session, 86_400);
    await extend();
    await send(sender, 'daily');
    sender.harness.advance(23 * 3_600_000);
    await extend();
    await send(sender, 'daily');
    expect(await sender.count()).toBe(1);
    sender.harness.advance(2 * 3_600_000);
    expect((await send(sender, 'daily', { ...mail, subject: 'Tomorrow' })).status).toBe(200);
    expect(await sender.count()).toBe(2);
  });

  it('answers a repeated call of a session that it filled', async () => {
    const sender = await open();
    for (let count = 0; count < 99; count++) await sender.post('/emails', mail);
    const first = await send(sender, 'last');
    const again = await send(sender, 'last');
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect((await sender.post('/emails', mail)).status).not.toBe(200);
  });

  it('sends again after a failure on purpose', async () => {
    const sender = await open();
    sender.harness.services.addSmtpFault(sender.session, { stage: 'http', code: 500, first: 1 });
    expect((await send(sender, 'retried')).status).toBe(500);
    expect((await send(sender, 'retried')).status).toBe(200);
    expect(await sender.count()).toBe(1);
  });

  it('refuses a key that is too long', async () => {
    const sender = await open();
    const answer = await send(sender, 'x'.repeat(257));
    expect([answer.status, answer.json.name]).toEqual([400, 'invalid_idempotency_key']);
    expect((await send(sender, 'x'.repeat(256))).status).toBe(200);
  });

  it('keeps the keys of sessions apart', async () => {
    const [one, other] = [await open(), await open()];
    const [first, second] = [await send(one, 'k'), await send(other, 'k')];
    expect(first.json.id).not.toBe(second.json.id);
    expect([await one.count(), await other.count()]).toEqual([1, 1]);
  });
});

describe('Brevo', () => {
  const body = {
    sender: { email: 'a@app.example' },
    to: [{ email: 'b@app.example' }],
    subject: 'Hello',
    textContent: 'Hi',
    headers: { idempotencyKey: 'b52dbf-81dd-4a08-b807-085c' },
  };

  it('refuses a repeated call, for half an hour', async () => {
    const sender = await openSender((token) => ({ 'api-key': `xkeysib-${token}` }));
    expect((await sender.post('/v3/smtp/email', body)).status).toBe(201);
    for (const again of [body, { ...body, subject: 'Other' }]) {
      const answer = await sender.post('/v3/smtp/email', again);
      expect([answer.status, answer.json.code]).toEqual([400, 'duplicate_parameter']);
    }
    expect(await sender.count()).toBe(1);
    sender.harness.advance(31 * 60_000);
    expect((await sender.post('/v3/smtp/email', body)).status).toBe(201);
    expect(await sender.count()).toBe(2);
  });
});
