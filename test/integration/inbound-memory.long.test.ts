// The memory that a message of 36 MiB takes while it arrives, in each provider's form. Nothing of it is ever whole in
// this process: the body is made piece by piece.

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { expect, it, onTestFinished } from 'vitest';

import { createIntake } from '#inbound/create-intake';
import type { ProviderSecret } from '#inbound/provider';
import { ScratchFile } from '#mail-receiver/scratch-file';
import { ArrivingMessage } from '../../src/inbound/arriving-message.ts';
import { certificateUrl, getSnsKeys, hashPassword, topicArn } from '../support/inbound/provider-requests.ts';

const mebibyte = 1024 * 1024;
const boundBytes = 8 * mebibyte;
const line = `${'x'.repeat(74)}\r\n`;
const piece = Buffer.from(line.repeat(860));
const pieces = Math.floor((36 * mebibyte) / piece.length);
const header = 'Subject: large\r\n\r\n';
const now = Date.now();

interface Shape {
  readonly name: string;
  readonly secret: ProviderSecret;
  readonly headers: Record<string, string>;
  /** Yields the body; `sign` is called with each piece before it is sent. */
  body(): Generator<Buffer>;
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function live(): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function* whole(encode: (bytes: Buffer) => Buffer): Generator<Buffer> {
  yield encode(Buffer.from(header));
  for (let at = 0; at < pieces; at += 1) yield encode(piece);
}

const asItIs = (bytes: Buffer): Buffer => bytes;
const asJson = (bytes: Buffer): Buffer => Buffer.from(JSON.stringify(bytes.toString()).slice(1, -1));
const asForm = (bytes: Buffer): Buffer => Buffer.from(encodeURIComponent(bytes.toString()));

const boundary = 'xYzZY';
function part(name: string, value: string): string {
  return `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function raw(): Shape {
  const key = Buffer.alloc(32, 7);
  const timestamp = String(Math.floor(now / 1000));
  function* body(): Generator<Buffer> {
    yield Buffer.from('{"from":"a@example.org","to":["fox@mayfly.test"]}\n');
    yield* whole(asItIs);
  }
  const hmac = createHmac('sha256', key).update(`x.${timestamp}.`);
  for (const one of body()) hmac.update(one);
  return {
    name: 'raw',
    secret: { from: 'raw', secret: `whsec_${key.toString('base64')}` },
    headers: {
      'webhook-id': 'x',
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1,${hmac.digest('base64')}`,
    },
    body,
  };
}

function mailgun(isMultipart: boolean): Shape {
  const signingKey = 'key-0123456789abcdef';
  const [timestamp, token] = [String(Math.floor(now / 1000)), 'a'.repeat(50)];
  const signature = createHmac('sha256', signingKey)
    .update(timestamp + token)
    .digest('hex');
  const fields = { recipient: 'fox@mayfly.test', sender: 'a@example.org', timestamp, token, signature };
  function* multipart(): Generator<Buffer> {
    for (const [name, value] of Object.entries(fields)) yield Buffer.from(part(name, value));
    yield Buffer.from(part('body-mime', '').slice(0, -2));
    yield* whole(asItIs);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  function* urlencoded(): Generator<Buffer> {
    yield Buffer.from(`${new URLSearchParams(fields).toString()}&body-mime=`);
    yield* whole(asForm);
  }
  return {
    name: isMultipart ? 'Mailgun, multipart' : 'Mailgun, urlencoded',
    secret: { from: 'mailgun', signingKey },
    headers: {
      'content-type': isMultipart
        ? `multipart/form-data; boundary=${boundary}`
        : 'application/x-www-form-urlencoded',
    },
    body: isMultipart ? multipart : urlencoded,
  };
}

function sendgrid(): Shape {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const timestamp = String(Math.floor(now / 1000));
  function* body(): Generator<Buffer> {
    yield Buffer.from(part('envelope', '{"to":["fox@mayfly.test"],"from":"a@example.org"}'));
    yield Buffer.from(part('email', '').slice(0, -2));
    yield* whole(asItIs);
    yield Buffer.from(`\r\n--${boundary}--\r\n`);
  }
  const sign = createSign('sha256').update(timestamp);
  for (const one of body()) sign.update(one);
  return {
    name: 'SendGrid',
    secret: {
      from: 'sendgrid',
      publicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    },
    headers: {
      'content-type': `multipart/form-data; boundary=${boundary}`,
      'x-twilio-email-event-webhook-signature': sign.sign(privateKey, 'base64'),
      'x-twilio-email-event-webhook-timestamp': timestamp,
    },
    body,
  };
}

function postmark(): Shape {
  function* body(): Generator<Buffer> {
    yield Buffer.from('{"MessageID":"x","OriginalRecipient":"fox@mayfly.test","RawEmail":"');
    yield* whole(asJson);
    yield Buffer.from('"}');
  }
  return {
    name: 'Postmark',
    secret: { from: 'postmark', passwordHash: hashPassword('p') },
    headers: { authorization: `Basic ${Buffer.from('relay:p').toString('base64')}` },
    body,
  };
}

function ses(): Shape {
  const rest = {
    MessageId: 'm',
    Timestamp: new Date(now).toISOString(),
    TopicArn: topicArn,
    Type: 'Notification',
  };
  const before = JSON.stringify({
    notificationType: 'Received',
    mail: { source: 'a@example.org', messageId: 'x' },
    receipt: { recipients: ['fox@mayfly.test'], action: { encoding: 'BASE64' } },
    content: '',
  }).slice(0, -2);
  /** Multiples of three bytes, so that no padding comes in between. */
  function* content(): Generator<Buffer> {
    let held = Buffer.alloc(0);
    for (const one of whole(asItIs)) {
      const all = Buffer.concat([held, one]);
      const usable = all.length - (all.length % 3);
      yield Buffer.from(all.subarray(0, usable).toString('base64'));
      held = all.subarray(usable);
    }
    yield Buffer.from(held.toString('base64'));
  }
  function* message(): Generator<Buffer> {
    yield Buffer.from(before);
    yield* content();
    yield Buffer.from('"}');
  }
  const sign = createSign('RSA-SHA256').update('Message\n');
  for (const one of message()) sign.update(one);
  sign.update(
    `\n${Object.entries(rest)
      .map(([name, value]) => `${name}\n${value}\n`)
      .join('')}`,
  );
  const Signature = sign.sign(getSnsKeys().privateKey, 'base64');
  function* body(): Generator<Buffer> {
    const after = { ...rest, SignatureVersion: '2', Signature, SigningCertURL: certificateUrl };
    yield Buffer.from('{"Message":"');
    for (const one of message()) yield asJson(one);
    yield Buffer.from(`",${JSON.stringify(after).slice(1)}`);
  }
  return { name: 'SES', secret: { from: 'ses', topicArn }, headers: {}, body };
}

it.each([raw(), mailgun(true), mailgun(false), sendgrid(), postmark(), ses()])(
  '36 MiB by $name take at most 8 MiB',
  async ({ name, secret, headers, body }) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-memory-'));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });
    const spill = { afterBytes: 128 * 1024, open: () => new ScratchFile(folder) };
    const message = new ArrivingMessage(spill, 40 * mebibyte);
    const before = live();
    let peak = 0;
    const intake = createIntake('relay', secret, {
      headers,
      now,
      take: (one) => {
        message.take(one);
      },
      fetchCertificate: () => Promise.resolve(getSnsKeys().certificatePem),
    });
    let count = 0;
    for (const one of body()) {
      // As they come from a socket.
      for (let from = 0; from < one.length; from += 65_536) intake.push(one.subarray(from, from + 65_536));
      count += 1;
      if (count % 25 === 0) peak = Math.max(peak, live() - before);
    }
    const taken = await intake.end();
    message.requireKept();
    peak = Math.max(peak, live() - before);
    expect(taken).toMatchObject({ kind: 'mail', rcptTo: ['fox@mayfly.test'] });
    expect(message.raw.sizeBytes).toBe(Buffer.byteLength(header) + pieces * piece.length);
    message.release();
    expect(peak, `${name}: ${(peak / mebibyte).toFixed(1)} MiB`).toBeLessThan(boundBytes);
  },
);
