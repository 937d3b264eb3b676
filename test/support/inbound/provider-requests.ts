// Requests as providers of inbound mail make them, signed with keys of the test.

import {
  createHash,
  createHmac,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
} from 'node:crypto';

import type { ProviderSecret } from '#inbound/provider';
import { certifyRsa } from '#certificates/self-signed';

export interface GivenMail {
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: Buffer;
  /** When the request is signed, ms since 1970. */
  readonly at: number;
  /** The provider's id of the message, where it has one. */
  readonly id: string;
}

export interface ProviderRequest {
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** A provider with its keys: what the route is made with, and how it makes requests. */
export interface TestProvider {
  readonly name: string;
  readonly secret: ProviderSecret;
  /** `variant` changes what the provider changes between two tries. */
  request(mail: GivenMail, variant?: { readonly token?: string }): ProviderRequest;
  readonly fetchCertificate: (url: string) => Promise<string>;
}

export const routeName = 'relay';
const password = 'correct-horse-battery-staple';
const basic = `Basic ${Buffer.from(`${routeName}:${password}`).toString('base64')}`;
export function hashPassword(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

const noCertificate = (): Promise<string> => Promise.reject(new Error('No certificate is fetched.'));

export function createRaw(from: 'raw' | 'cloudflare' = 'raw'): TestProvider {
  const key = randomBytes(32);
  return {
    name: from,
    secret: { from, secret: `whsec_${key.toString('base64')}` },
    fetchCertificate: noCertificate,
    request: ({ from: mailFrom, to, raw, at, id }) => {
      const body = Buffer.concat([Buffer.from(`${JSON.stringify({ from: mailFrom, to })}\n`), raw]);
      const timestamp = String(Math.floor(at / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
      return {
        headers: {
          'content-type': 'application/octet-stream',
          'webhook-id': id,
          'webhook-timestamp': timestamp,
          'webhook-signature': `v1,AAAA v1,${signature}`,
        },
        body,
      };
    },
  };
}

export function createMailgun(form: 'multipart' | 'urlencoded' = 'multipart'): TestProvider {
  const signingKey = `key-${randomBytes(16).toString('hex')}`;
  return {
    name: `mailgun ${form}`,
    secret: { from: 'mailgun', signingKey },
    fetchCertificate: noCertificate,
    request: ({ from, to, raw, at }, { token = randomBytes(25).toString('hex') } = {}) => {
      const timestamp = String(Math.floor(at / 1000));
      const signature = createHmac('sha256', signingKey)
        .update(timestamp + token)
        .digest('hex');
      const fields = { recipient: to.join(', '), sender: from, subject: 'x', timestamp, token, signature };
      return form === 'multipart'
        ? toMultipart([...toFields(fields), ['body-mime', raw]])
        : toUrlencoded([...toFields(fields), ['body-mime', raw]]);
    },
  };
}

export function createSendgrid(security: 'signed' | 'password' = 'signed'): TestProvider {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const isSigned = security === 'signed';
  return {
    name: `sendgrid ${security}`,
    secret: isSigned
      ? { from: 'sendgrid', publicKey: spki }
      : { from: 'sendgrid', passwordHash: hashPassword(password) },
    fetchCertificate: noCertificate,
    request: ({ from, to, raw, at }) => {
      const envelope = JSON.stringify({ to, from });
      const fields = {
        dkim: '{@example.org : pass}',
        to: to.join(),
        from,
        sender_ip: '192.0.2.9',
        SPF: 'pass',
      };
      const made = toMultipart([
        ...toFields({ ...fields, envelope }),
        ['email', raw],
        ...toFields({ charsets: '{}' }),
      ]);
      if (!isSigned) return { ...made, headers: { ...made.headers, authorization: basic } };
      const timestamp = String(Math.floor(at / 1000));
      const signature = createSign('sha256').update(timestamp).update(made.body).sign(privateKey, 'base64');
      return {
        ...made,
        headers: {
          ...made.headers,
          'x-twilio-email-event-webhook-signature': signature,
          'x-twilio-email-event-webhook-timestamp': timestamp,
        },
      };
    },
  };
}

export function createPostmark(): TestProvider {
  return {
    name: 'postmark',
    secret: { from: 'postmark', passwordHash: hashPassword(password) },
    fetchCertificate: noCertificate,
    request: ({ from, to, raw, id }) => {
      const value = {
        FromName: 'Ünï "quoted" \\ 🎉',
        MessageStream: 'inbound',
        From: from,
        FromFull: { Email: from, Name: '', MailboxHash: '' },
        To: to.join(),
        ToFull: to.map((Email) => ({ Email, Name: '', MailboxHash: '' })),
        OriginalRecipient: to[0],
        Subject: 'x',
        MessageID: id,
        Headers: [
          { Name: 'X-Spam-Score', Value: '-0.1' },
          { Name: 'Return-Path', Value: `<${from}>` },
          { Name: 'Return-Path', Value: '<forged@example.net>' },
        ],
        Attachments: [{ Name: 'a.txt', Content: 'aGVsbG8=', ContentType: 'text/plain', ContentLength: 5 }],
        RawEmail: raw.toString('utf8'),
        Tag: null,
        Score: 1.5e3,
      };
      return {
        headers: { 'content-type': 'application/json', authorization: basic },
        body: Buffer.from(JSON.stringify(value)),
      };
    },
  };
}

export const topicArn = 'arn:aws:sns:eu-west-1:123456789012:mail';
export const certificateUrl =
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';

interface SnsKeys {
  readonly privateKey: KeyObject;
  readonly certificatePem: string;
}

let snsKeys: SnsKeys | undefined;

/** Made once: RSA keys take long. */
export function getSnsKeys(): SnsKeys {
  if (snsKeys) return snsKeys;
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const certificatePem = certifyRsa(pair, {
    hostname: 'sns.amazonaws.com',
    from: new Date('2020-01-01'),
    until: new Date('2049-01-01'),
  });
  return (snsKeys = { privateKey: pair.privateKey, certificatePem });
}

export type SnsMembers = Record<string, string>;

/** Signs a notification or a confirmation of SNS; `changes` are made after signing. */
export function signSns(
  members: SnsMembers,
  privateKey: KeyObject,
  changes: SnsMembers = {},
): ProviderRequest {
  const { SignatureVersion = '2' } = members;
  const names =
    members.Type === 'Notification'
      ? ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type']
      : ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'];
  const text = names
    .map((name) => (members[name] === undefined ? '' : `${name}\n${members[name]}\n`))
    .join('');
  const algorithm = SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256';
  const Signature = createSign(algorithm).update(text).sign(privateKey, 'base64');
  const body = JSON.stringify(
    { ...members, SignatureVersion, Signature, SigningCertURL: certificateUrl, ...changes },
    null,
    2,
  );
  return { headers: { 'content-type': 'text/plain; charset=UTF-8' }, body: Buffer.from(body) };
}

export function createSes(encoding: 'BASE64' | 'UTF-8' = 'BASE64', version = '1'): TestProvider {
  const { privateKey, certificatePem } = getSnsKeys();
  return {
    name: `ses ${encoding}`,
    secret: { from: 'ses', topicArn },
    fetchCertificate: (url) => Promise.resolve(url === certificateUrl ? certificatePem : ''),
    request: (mail) => signSns(toNotification(mail, encoding, version), privateKey),
  };
}

export function toNotification(
  { from, to, raw, at, id }: GivenMail,
  encoding: 'BASE64' | 'UTF-8',
  version: string,
): SnsMembers {
  const message = {
    notificationType: 'Received',
    mail: {
      timestamp: new Date(at).toISOString(),
      source: from,
      messageId: id,
      destination: to,
      headersTruncated: false,
      headers: [{ name: 'From', value: from }],
    },
    receipt: {
      recipients: to,
      spfVerdict: { status: 'PASS' },
      action: { type: 'SNS', topicArn, encoding },
    },
    content: encoding === 'BASE64' ? raw.toString('base64') : raw.toString('utf8'),
  };
  return {
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: topicArn,
    Subject: 'Amazon SES Email Receipt Notification',
    Message: JSON.stringify(message),
    Timestamp: new Date(at).toISOString(),
    SignatureVersion: version,
  };
}

export function createProviders(): readonly TestProvider[] {
  return [
    ...[createRaw(), createRaw('cloudflare')],
    ...[createMailgun(), createMailgun('urlencoded')],
    ...[createSendgrid(), createSendgrid('password')],
    ...[createPostmark(), createSes(), createSes('UTF-8', '2')],
  ];
}

type Field = readonly [name: string, value: Buffer];

function toFields(fields: Readonly<Record<string, string>>): Field[] {
  return Object.entries(fields).map(([name, value]) => [name, Buffer.from(value)]);
}

function toMultipart(fields: readonly Field[]): ProviderRequest {
  const boundary = `--xYzZY${randomBytes(6).toString('hex')}`;
  const parts = fields.flatMap(([name, value]) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
    value,
    Buffer.from('\r\n'),
  ]);
  const body = Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]);
  return { headers: { 'content-type': `multipart/form-data; boundary=${boundary}` }, body };
}

function toUrlencoded(fields: readonly Field[]): ProviderRequest {
  const escape = (bytes: Buffer): string =>
    bytes
      .toString('latin1')
      .replace(/[^A-Za-z0-9 ]/g, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`)
      .replaceAll(' ', '+');
  const body = fields.map(([name, value]) => `${name}=${escape(value)}`).join('&');
  return { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: Buffer.from(body) };
}
