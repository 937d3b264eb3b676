// Mail that other services hand over by HTTP: what is stored, what is refused, and how a provider is answered.

import { randomBytes } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import { createMetrics } from '../../src/observe/metrics.ts';
import { mailFor, startInboundHarness } from '../support/inbound/inbound-fixture.ts';
import {
  createMailgun,
  createPostmark,
  createProviders,
  createRaw,
  createSendgrid,
  createSes,
  getSnsKeys,
  type ProviderRequest,
  signSns,
  topicArn,
} from '../support/inbound/provider-requests.ts';
import { ask } from './http-harness.ts';

const providers = createProviders();

describe.each(providers)('mail by $name', (provider) => {
  it('is stored as it came, and once however often it is handed over', async () => {
    const harness = await startInboundHarness();
    await harness.addRoute(provider);
    const { token, session } = await harness.lend('fox');
    const mail = mailFor(harness, session.address);
    const first = await harness.post(provider.request(mail));
    expect([first.status, first.json]).toEqual([200, { status: 'success', outcome: 'stored' }]);
    // The same request again, and one that the provider made anew.
    const again = provider.request(mail);
    for (const request of [again, again, provider.request({ ...mail, at: mail.at + 1000 })]) {
      expect((await harness.post(request)).json).toEqual({ status: 'success', outcome: 'stored' });
    }
    const { json } = await ask(harness, '/read-mail?id=1', { headers: { authorization: `Bearer ${token}` } });
    expect(json.message).toMatchObject({
      sender_email: 'a@example.org',
      envelope: { mail_from: 'a@example.org', rcpt_to: [session.address], remote_ip: '' },
    });
    const raw = await ask(harness, `/raw-mail?id=1`, { headers: { authorization: `Bearer ${token}` } });
    expect(raw.text).toContain(mail.raw.toString());
    expect(raw.text).toMatch(
      /^Return-Path: <a@example\.org>\r\nReceived: from \w+\r\n\tby \S+ with HTTP id /,
    );
    expect(await harness.subjectsOf(token)).toHaveLength(1);
  });

  it('to an unknown recipient is given up by the provider, and to a full one tried again', async () => {
    const harness = await startInboundHarness({
      wrapDeps: (deps) => ({ ...deps, limits: { ...deps.limits, sessionMessages: 1 } }),
    });
    await harness.addRoute(provider);
    const { session } = await harness.lend('fox');
    const unknown = await harness.post(provider.request(mailFor(harness, 'nothing@mayfly.test')));
    const wanted = { mailgun: 406, postmark: 403 }[provider.secret.from as string] ?? 422;
    expect(unknown.status).toBe(wanted);
    expect(unknown.json).toMatchObject({ code: 'refused', reply: '550 5.1.1 No such recipient' });
    expect((await harness.post(provider.request(mailFor(harness, session.address)))).status).toBe(200);
    const full = await harness.post(provider.request(mailFor(harness, session.address)));
    // The sender of our worker is still connected, and gets the reply.
    expect(full.status).toBe(provider.secret.from === 'cloudflare' ? 422 : 503);
    expect(full.json).toMatchObject({ code: 'deferred', reply: '452 4.2.2 Recipient is over quota' });
  });

  it('is stored once when it is handed over many times at once', async () => {
    const harness = await startInboundHarness();
    await harness.addRoute(provider);
    const { token, session } = await harness.lend();
    const mail = mailFor(harness, session.address);
    const answers = await Promise.all(Array.from({ length: 8 }, () => harness.post(provider.request(mail))));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await harness.subjectsOf(token)).toHaveLength(1);
  });
});

describe('forged and replayed requests', () => {
  it('are all refused, whichever byte was changed', async () => {
    const harness = await startInboundHarness();
    const { token } = await harness.lend('fox');
    for (const provider of [createRaw(), createMailgun('urlencoded'), createSendgrid(), createSes()]) {
      await harness.addRoute(provider);
      const { headers, body } = provider.request(mailFor(harness, 'nothing@mayfly.test'));
      for (let count = 0; count < 40; count += 1) {
        const forged = Buffer.from(body.toString('latin1').replace('nothing', 'fox'), 'latin1');
        forged[Math.floor((count / 40) * forged.length)]! ^= 1 << (count % 7);
        const { status } = await harness.post({ headers, body: forged });
        // Mailgun signs neither recipient nor message: those are bound to the first use of the token.
        if (provider.secret.from !== 'mailgun') expect([400, 401]).toContain(status);
      }
    }
    const stored = await harness.subjectsOf(token);
    expect(stored.length).toBeLessThanOrEqual(1);
  });

  it('with a token of Mailgun that was used for another message are refused', async () => {
    const harness = await startInboundHarness();
    const provider = createMailgun();
    await harness.addRoute(provider);
    const { token, session } = await harness.lend('fox');
    const { token: other, session: cat } = await harness.lend('cat');
    const mail = mailFor(harness, session.address);
    const used = randomBytes(25).toString('hex');
    expect((await harness.post(provider.request(mail, { token: used }))).status).toBe(200);
    for (const changed of [
      { ...mail, to: [cat.address] },
      { ...mail, raw: Buffer.from('Subject: other\r\n\r\n') },
      { ...mail, from: 'b@example.org' },
    ]) {
      expect((await harness.post(provider.request(changed, { token: used }))).status).toBe(401);
    }
    expect(await harness.subjectsOf(token)).toHaveLength(1);
    expect(await harness.subjectsOf(other)).toEqual([]);
  });

  it('store nothing in a later session with the same address', async () => {
    const harness = await startInboundHarness();
    const provider = createRaw();
    await harness.addRoute(provider);
    const { session } = await harness.lend('fox');
    const request = provider.request(mailFor(harness, session.address));
    expect((await harness.post(request)).status).toBe(200);
    await harness.services.endSession(session);
    const later = await harness.lend('fox');
    expect((await harness.post(request)).status).toBe(200);
    expect(await harness.subjectsOf(later.token)).toEqual([]);
  });

  it('are refused when they are old, while a retry that is signed anew is not', async () => {
    const harness = await startInboundHarness();
    const provider = createRaw('cloudflare');
    await harness.addRoute(provider);
    const { token, session } = await harness.lend();
    const mail = mailFor(harness, session.address);
    const old = provider.request(mail);
    harness.advance(6 * 60_000);
    expect((await harness.post(old)).json).toMatchObject({ code: 'unauthorized' });
    expect((await harness.post(provider.request({ ...mail, at: harness.now() }))).status).toBe(200);
    expect(await harness.subjectsOf(token)).toHaveLength(1);
  });

  it('tell nothing about recipients', async () => {
    const harness = await startInboundHarness();
    await harness.addRoute(createRaw());
    const { session } = await harness.lend('fox');
    const stranger = createRaw();
    const bodies: string[] = [];
    for (const to of [session.address, 'nothing@mayfly.test', 'x@example.net']) {
      const { status, json } = await harness.post(stranger.request(mailFor(harness, to)));
      bodies.push(`${status} ${JSON.stringify(json)}`);
    }
    expect(new Set(bodies).size).toBe(1);
  });
});

describe('several recipients', () => {
  it('get the message that one of them refuses', async () => {
    const harness = await startInboundHarness();
    const provider = createSendgrid();
    await harness.addRoute(provider);
    const { token, session } = await harness.lend('fox');
    const { token: other, session: cat } = await harness.lend('cat');
    const to = [session.address, 'nothing@mayfly.test', cat.address];
    expect((await harness.post(provider.request(mailFor(harness, to)))).status).toBe(200);
    expect([await harness.subjectsOf(token), await harness.subjectsOf(other)]).toEqual([
      [expect.any(String)],
      [expect.any(String)],
    ]);
  });

  it('get it once each when one is full, and the provider tries again until there is room', async () => {
    const harness = await startInboundHarness({
      wrapDeps: (deps) => ({ ...deps, limits: { ...deps.limits, sessionMessages: 1 } }),
    });
    const provider = createSendgrid();
    await harness.addRoute(provider);
    const { token, session } = await harness.lend('fox');
    const { token: other, session: cat } = await harness.lend('cat');
    expect((await harness.post(provider.request(mailFor(harness, cat.address, 'first')))).status).toBe(200);
    const mail = mailFor(harness, [session.address, cat.address], 'second');
    expect((await harness.post(provider.request(mail))).status).toBe(503);
    expect((await harness.post(provider.request(mail))).status).toBe(503);
    await ask(harness, '/delete-mail?id=1', {
      method: 'POST',
      headers: { authorization: `Bearer ${other}` },
    });
    await ask(harness, '/delete-mail?id=1', {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    expect((await harness.post(provider.request(mail))).status).toBe(200);
    expect(await harness.subjectsOf(other)).toEqual(['second']);
    expect(await harness.subjectsOf(token)).toEqual([]);
  });
});

describe('HTTP refuses as SMTP does', () => {
  it.each([
    ['a blocked sender', 'fox@mayfly.test', '550 5.7.1 Mail from this sender is refused here'],
    ['another domain', 'fox@example.net', '550 5.7.1 Relaying denied'],
    ['an address that asks for relaying', 'fox%example.net@mayfly.test', '550 5.7.1 Relaying denied'],
    ['an address that is none', 'fox', '501 5.1.3 Bad recipient address syntax'],
    ['a path with more in it', 'fox@mayfly.test> SIZE=1', '555 5.5.4 Parameter not recognised'],
  ])('%s', async (title, to, reply) => {
    const harness = await startInboundHarness({
      receiver: { isSenderBlocked: () => title.includes('blocked') },
    });
    const provider = createRaw();
    await harness.addRoute(provider);
    await harness.lend('fox');
    const { status, json } = await harness.post(provider.request(mailFor(harness, to)));
    expect([status, json.reply]).toEqual([422, reply]);
  });

  it('a message that loops, and one that is too big', async () => {
    const harness = await startInboundHarness({ settings: { messageMaxBytes: 100_000 } });
    const provider = createRaw();
    await harness.addRoute(provider);
    const { session } = await harness.lend();
    const mail = mailFor(harness, session.address);
    const loop = Buffer.from(`${'Received: from a by b\r\n'.repeat(100)}Subject: x\r\n\r\n`);
    expect((await harness.post(provider.request({ ...mail, raw: loop }))).json.reply).toBe(
      '554 5.4.6 Too many hops',
    );
    const big = await harness.post(provider.request({ ...mail, raw: Buffer.alloc(200_000, 'x') }));
    expect([big.status, big.json.reply]).toEqual([422, '552 5.3.4 Message is too big']);
    const huge = await harness.post(provider.request({ ...mail, raw: Buffer.alloc(500_000, 'x') }));
    expect(huge.status).toBe(413);
  });

  it('everything while the disk is nearly full, for now', async () => {
    const harness = await startInboundHarness({
      vitals: { isDiskLow: () => true, isOverloaded: () => false },
    });
    const provider = createRaw();
    await harness.addRoute(provider);
    const { session } = await harness.lend();
    const { status, headers } = await harness.post(provider.request(mailFor(harness, session.address)));
    expect([status, headers['retry-after']]).toEqual([503, '60']);
  });
});

describe('the path', () => {
  it('is served for routes alone, and only for POST', async () => {
    const harness = await startInboundHarness();
    const provider = createMailgun();
    await harness.addRoute(provider);
    const { session } = await harness.lend();
    const request = provider.request(mailFor(harness, session.address));
    expect((await harness.post(request, 'other')).status).toBe(404);
    expect((await harness.post(request, 'relay/mime')).status).toBe(200);
    expect((await ask(harness, '/inbound/relay')).status).toBe(405);
    expect((await ask(harness, '/inbound')).status).toBe(404);
    await harness.store.inbound.removeRoute('relay');
    expect((await harness.post(request)).status).toBe(404);
  });

  it('takes the operator’s mail, once', async () => {
    const kept: string[] = [];
    const harness = await startInboundHarness({
      wrapDeps: (deps) => ({
        ...deps,
        operatorMailbox: {
          isFull: () => Promise.resolve(false),
          deliver: ({ pieces }) => {
            kept.push(Buffer.concat([...pieces]).toString());
            return Promise.resolve({ withdraw: () => Promise.resolve() });
          },
        },
      }),
    });
    const provider = createPostmark();
    await harness.addRoute(provider);
    const request = provider.request(mailFor(harness, 'postmaster@mayfly.test'));
    expect((await harness.post(request)).status).toBe(200);
    expect((await harness.post(request)).status).toBe(200);
    expect(kept).toHaveLength(1);
  });

  it('answers a provider whose request is cut off, and goes on serving', async () => {
    const harness = await startInboundHarness();
    const provider = createSes();
    await harness.addRoute(provider);
    const { session, token } = await harness.lend();
    const request = provider.request(mailFor(harness, session.address));
    const cut: ProviderRequest = { ...request, body: request.body.subarray(0, 200) };
    expect((await harness.post(cut)).status).toBe(400);
    expect((await harness.post(request)).status).toBe(200);
    expect(await harness.subjectsOf(token)).toHaveLength(1);
    // The certificate is fetched once.
    expect(harness.fetched).toHaveLength(1);
  });

  it('counts requests by service and outcome', async () => {
    const metrics = createMetrics();
    const harness = await startInboundHarness({ metrics });
    const provider = createRaw();
    await harness.addRoute(provider);
    const { session } = await harness.lend();
    await harness.post(provider.request(mailFor(harness, session.address)));
    await harness.post(createRaw().request(mailFor(harness, session.address)));
    await harness.post(provider.request(mailFor(harness, 'nothing@mayfly.test')));
    const text = await metrics.registry.render();
    expect(text).toContain('mayfly_inbound_requests_total{provider="raw",outcome="stored"} 1');
    expect(text).toContain('mayfly_inbound_requests_total{provider="raw",outcome="unauthorized"} 1');
    expect(text).toContain('mayfly_inbound_requests_total{provider="raw",outcome="refused"} 1');
    expect(text).toContain('mayfly_messages_total{source="http",outcome="stored",reason=""} 1');
  });
});

describe('SNS', () => {
  it('is answered by fetching the URL of its confirmation', async () => {
    const harness = await startInboundHarness();
    await harness.addRoute(createSes());
    const SubscribeURL = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=ab`;
    const request = signSns(
      {
        Type: 'SubscriptionConfirmation',
        MessageId: 'c',
        Token: 'ab',
        TopicArn: topicArn,
        Message: 'You have chosen to subscribe to the topic.',
        SubscribeURL,
        Timestamp: new Date(harness.now()).toISOString(),
      },
      getSnsKeys().privateKey,
    );
    const { status, json } = await harness.post(request);
    expect([status, json.outcome]).toEqual([200, 'confirmed']);
    expect(harness.fetched.at(-1)).toBe(SubscribeURL);
  });
});

describe('SPF', () => {
  it.each([
    ['is not known without a trusted service', undefined, 'a@example.org', undefined],
    ['is the trusted service’s', 'mx.relay.test', 'a@example.org', { result: 'pass', domain: 'example.org' }],
    [
      'is none when the result is about another sender',
      'mx.relay.test',
      'b@other.test',
      { result: 'none', domain: null },
    ],
    [
      'is none when another service found it',
      'mx.other.test',
      'a@example.org',
      { result: 'none', domain: null },
    ],
  ])('%s', async (_title, trusts, from, wanted) => {
    const sources: unknown[] = [];
    const harness = await startInboundHarness({
      receiver: {
        receiveMessage: ({ source }) => {
          sources.push(source.spf);
          return Promise.resolve({ outcome: 'stored', ingestId: 'x', ended: 0 });
        },
      },
    });
    const provider = createRaw();
    await harness.addRoute(provider, 'relay', trusts);
    const { session } = await harness.lend();
    const results = 'Authentication-Results: mx.relay.test; spf=pass smtp.mailfrom=a@example.org\r\n';
    const mail = mailFor(harness, session.address);
    const raw = Buffer.concat([Buffer.from(results), mail.raw]);
    expect((await harness.post(provider.request({ ...mail, from, raw }))).status).toBe(200);
    expect(sources).toEqual([wanted]);
  });
});
