import { randomBytes, randomUUID } from 'node:crypto';

import { describe, expect, it } from 'vitest';

import {
  createMailgun,
  createProviders,
  createRaw,
  createSes,
  createSendgrid,
  getSnsKeys,
  type GivenMail,
  type ProviderRequest,
  routeName,
  signSns,
  type TestProvider,
  toNotification,
  topicArn,
} from '../../../test/support/inbound/provider-requests.ts';
import { createIntake } from './create-intake.ts';
import { InboundRefusal, type Taken } from './intake.ts';
import { makeSecret } from './make-secret.ts';

const at = Date.parse('2026-03-01T12:00:00Z');
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

const raw = Buffer.from(
  'From: Zoë <a@example.org>\r\nSubject: =?utf-8?q?hi?=\r\n\r\nünï "quoted" \\ tab\t🎉 %41+&=\r\n--x\r\n.\r\nend\r\n',
);

function mailOf(given: Partial<GivenMail> = {}): GivenMail {
  return { from: 'a@example.org', to: ['fox@mayfly.test'], raw, at, id: randomUUID(), ...given };
}

interface Read {
  readonly taken: Taken;
  readonly raw: Buffer;
}

/** Reads the request in pieces of `step` bytes. Rejects with InboundRefusal. */
async function read(
  provider: TestProvider,
  { headers, body }: ProviderRequest,
  { step = 1024, now = at }: { readonly step?: number; readonly now?: number } = {},
): Promise<Read> {
  const pieces: Buffer[] = [];
  const { fetchCertificate } = provider;
  const intake = createIntake(routeName, provider.secret, {
    headers,
    now,
    fetchCertificate,
    take: (piece) => pieces.push(Buffer.from(piece)),
  });
  for (let from = 0; from < body.length; from += step) intake.push(body.subarray(from, from + step));
  return { taken: await intake.end(), raw: Buffer.concat(pieces) };
}

async function refusalOf(reading: Promise<unknown>): Promise<string> {
  const outcome = await reading.then(
    () => 'accepted',
    (error: unknown) => error,
  );
  return outcome instanceof InboundRefusal ? outcome.kind : String(outcome);
}

const providers = createProviders();

describe.each(providers)('a request of $name', (provider) => {
  it.each([1, 7, 1024, 1_000_000])('gives envelope and bytes in pieces of %i', async (step) => {
    const mail = mailOf();
    const { taken, raw: bytes } = await read(provider, provider.request(mail), { step });
    expect(taken).toMatchObject({ kind: 'mail', mailFrom: mail.from, rcptTo: mail.to });
    expect(bytes.toString()).toBe(raw.toString());
  });

  it('has the same id each time it is sent, and another for another message', async () => {
    const mail = mailOf();
    const ids = async (given: GivenMail): Promise<string> => {
      const { taken } = await read(provider, provider.request(given));
      return taken.kind === 'mail' ? taken.id : '';
    };
    expect(await ids(mail)).toBe(await ids({ ...mail, at: at - minuteMs }));
    const other = mailOf({ raw: Buffer.from('From: b@example.org\r\n\r\nother\r\n') });
    expect(await ids(mail)).not.toBe(await ids(other));
  });

  it('is refused when it breaks off', async () => {
    const { headers, body } = provider.request(mailOf());
    // The end of a form of this kind is the end of the body, whose length HTTP gives.
    const shares = provider.name === 'mailgun urlencoded' ? [0, 0.2] : [0, 0.3, 0.6, 0.99];
    for (const share of shares) {
      const cut = body.subarray(0, Math.floor(body.length * share));
      expect(await refusalOf(read(provider, { headers, body: cut }))).not.toBe('accepted');
    }
  });

  it('is refused without its credentials', async () => {
    const { headers, body } = provider.request(mailOf());
    const { 'content-type': type = '' } = headers;
    const bare = Buffer.from(body.toString('latin1').replace(/signature/gi, 'x'), 'latin1');
    const outcome = await refusalOf(read(provider, { headers: { 'content-type': type }, body: bare }));
    expect(outcome).toBe('unauthorized');
  });
});

describe.each([createRaw(), createSendgrid(), createSes()])('the signature of $name', (provider) => {
  it('covers every byte of the body', async () => {
    const { headers, body } = provider.request(mailOf());
    for (let place = 0; place < body.length; place += Math.ceil(body.length / 60)) {
      const forged = Buffer.from(body);
      forged[place]! ^= 1;
      const outcome = await refusalOf(read(provider, { headers, body: forged }));
      expect(['unauthorized', 'malformed']).toContain(outcome);
    }
  });

  it('is refused once it is too old, or from the future', async () => {
    const { headers, body } = provider.request(mailOf());
    const windowMs = { raw: 5 * minuteMs, 'sendgrid signed': 73 * hourMs }[provider.name] ?? 2 * hourMs;
    expect(await refusalOf(read(provider, { headers, body }, { now: at + windowMs - 1000 }))).toBe(
      'accepted',
    );
    expect(await refusalOf(read(provider, { headers, body }, { now: at + windowMs + 1000 }))).toBe(
      'unauthorized',
    );
    const early = at - 5 * minuteMs;
    expect(await refusalOf(read(provider, { headers, body }, { now: early + 1000 }))).toBe('accepted');
    expect(await refusalOf(read(provider, { headers, body }, { now: early - 1000 }))).toBe('unauthorized');
  });

  it('by another key is refused', async () => {
    const others: Record<string, () => TestProvider> = { raw: createRaw, 'sendgrid signed': createSendgrid };
    const other = others[provider.name]?.();
    if (!other) return;
    expect(await refusalOf(read(provider, other.request(mailOf())))).toBe('unauthorized');
  });
});

describe('the signature of Mailgun', () => {
  const provider = createMailgun();

  it('is bound to the content that it came with', async () => {
    const token = randomBytes(25).toString('hex');
    const proofs = await Promise.all(
      [mailOf(), mailOf({ to: ['cat@mayfly.test'] }), mailOf({ raw: Buffer.from('x: y\r\n\r\n') })].map(
        async (mail) => {
          const { taken } = await read(provider, provider.request(mail, { token }));
          if (taken.kind !== 'mail') throw new Error('No mail.');
          return taken.proof;
        },
      ),
    );
    expect(new Set(proofs.map(({ id }) => id))).toEqual(new Set([token]));
    expect(new Set(proofs.map(({ binds }) => binds)).size).toBe(3);
  });

  it('lends no digit of its token to the time', async () => {
    const form = createMailgun('urlencoded');
    const { headers, body } = form.request(mailOf(), { token: '7'.repeat(50) });
    const moved = body.toString().replace(/timestamp=(\d{10})&token=7/, 'timestamp=$17&token=');
    expect(moved).not.toBe(body.toString());
    expect(await refusalOf(read(form, { headers, body: Buffer.from(moved) }))).toBe('unauthorized');
  });

  it('is accepted for as long as Mailgun tries', async () => {
    const { headers, body } = provider.request(mailOf());
    expect(await refusalOf(read(provider, { headers, body }, { now: at + 8 * hourMs }))).toBe('accepted');
    expect(await refusalOf(read(provider, { headers, body }, { now: at + 10 * hourMs }))).toBe(
      'unauthorized',
    );
  });

  it('is refused for a field that is there twice', async () => {
    const form = createMailgun('urlencoded');
    const { headers, body } = form.request(mailOf());
    const twice = Buffer.concat([body, Buffer.from('&recipient=cat%40mayfly.test')]);
    expect(await refusalOf(read(form, { headers, body: twice }))).toBe('malformed');
    const message = Buffer.concat([body, Buffer.from('&body-mime=x')]);
    expect(await refusalOf(read(form, { headers, body: message }))).toBe('malformed');
  });
});

describe('SNS', () => {
  const { privateKey, certificatePem } = getSnsKeys();
  const ses = createSes();
  const notification = (): Record<string, string> => toNotification(mailOf(), 'BASE64', '1');

  it.each([
    ['another topic', { TopicArn: `${topicArn}2` }],
    ['a topic that only begins like it', { TopicArn: topicArn.slice(0, -1) }],
  ])('is refused from %s', async (_title, changes) => {
    const request = signSns({ ...notification(), ...changes }, privateKey);
    expect(await refusalOf(read(ses, request))).toBe('unauthorized');
  });

  it.each([
    'http://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com.example.org/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com@example.org/SimpleNotificationService-0123456789abcdef.pem',
    'https://example.org/sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.eu-west-1.amazonaws.com/other.pem',
    'https://sns.eu-west-1.amazonaws.com/a/../SimpleNotificationService-0123456789abcdef.pem?x=1',
    'https://s3.amazonaws.com/sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns.amazonaws.com.evil-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://sns-evil.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'https://xn--sns-.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem',
    'file:///SimpleNotificationService-0123456789abcdef.pem',
    '',
  ])('never fetches a certificate from %s', async (url) => {
    const fetched: string[] = [];
    const watched: TestProvider = {
      ...ses,
      fetchCertificate: (one) => {
        fetched.push(one);
        return Promise.resolve(certificatePem);
      },
    };
    const request = signSns(notification(), privateKey, { SigningCertURL: url });
    expect(await refusalOf(read(watched, request))).toBe('unauthorized');
    expect(fetched).toEqual([]);
  });

  it('is refused with a certificate that has ended, is for another name, or is none', async () => {
    const request = signSns(notification(), privateKey);
    const later = Date.parse('2049-06-01');
    const old = signSns({ ...notification(), Timestamp: new Date(later).toISOString() }, privateKey);
    expect(await refusalOf(read(ses, old, { now: later }))).toBe('unauthorized');
    const none: TestProvider = { ...ses, fetchCertificate: () => Promise.resolve('<html>') };
    expect(await refusalOf(read(none, request))).toBe('unauthorized');
    const cut: TestProvider = {
      ...ses,
      fetchCertificate: () => Promise.resolve(certificatePem.replace(/[A-Za-z0-9]{40}\n/, '\n')),
    };
    expect(await refusalOf(read(cut, request))).toBe('unauthorized');
  });

  it('gives the URL of a confirmation, if it is one of SNS for this topic', async () => {
    const SubscribeURL = `https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topicArn}&Token=ab`;
    const members = {
      Type: 'SubscriptionConfirmation',
      MessageId: randomUUID(),
      Token: 'ab',
      TopicArn: topicArn,
      Message: 'You have chosen to subscribe to the topic.',
      SubscribeURL,
      Timestamp: new Date(at).toISOString(),
    };
    const { taken } = await read(ses, signSns(members, privateKey));
    expect(taken).toEqual({ kind: 'confirmation', url: SubscribeURL });
    for (const url of [
      'https://example.org/?Action=ConfirmSubscription',
      SubscribeURL.replace('mail', 'other'),
    ]) {
      const forged = signSns({ ...members, SubscribeURL: url }, privateKey);
      expect(await refusalOf(read(ses, forged))).toBe('malformed');
    }
    const unsigned = signSns(members, privateKey, { SubscribeURL: `${SubscribeURL}&x=1` });
    expect(await refusalOf(read(ses, unsigned))).toBe('unauthorized');
  });

  it('is refused without content, as SES sends for large mail', async () => {
    const members = notification();
    const { content: _content, ...rest } = JSON.parse(members.Message ?? '') as Record<string, unknown>;
    const request = signSns({ ...members, Message: JSON.stringify(rest) }, privateKey);
    expect(await refusalOf(read(ses, request))).toBe('malformed');
  });
});

describe('makeSecret', () => {
  it('makes secrets that are long enough, and keeps only hashes of passwords', () => {
    const raws = makeSecret('raw', {});
    expect(raws).toMatchObject({ kept: { from: 'raw' }, shown: { kind: 'secret' } });
    const postmark = makeSecret('postmark', {});
    if (typeof postmark === 'string') throw new Error(postmark);
    expect(postmark.shown?.value).toMatch(/^[A-Za-z0-9_-]{32}$/);
    expect(JSON.stringify(postmark.kept)).not.toContain(postmark.shown?.value);
  });

  it('says what is missing', () => {
    expect(makeSecret('ses', {})).toMatch(/^SES needs the topic/);
    expect(makeSecret('ses', { topicArn: 'arn:aws:s3:::mail' })).toMatch(/^SES needs the topic/);
    expect(makeSecret('mailgun', {})).toMatch(/^Mailgun needs/);
    expect(makeSecret('sendgrid', { publicKey: 'AAAA' })).toMatch(/^The public key/);
  });
});
