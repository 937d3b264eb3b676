// The events of each service for a mail that it accepted and delivered, signed as the service signs.

import { createHmac, randomBytes, randomUUID, sign } from 'node:crypto';

import { signWebhook } from '../../notifications/src/webhook-signature.ts';
import type { EventKeys, EventRequest, SentMail, ToEvents } from './sent-mail.ts';

const json = { 'content-type': 'application/json' };

function secondsOf({ at }: SentMail): number {
  return Math.floor(at / 1000);
}

function isoOf({ at }: SentMail): string {
  return new Date(at).toISOString();
}

/** One request for each recipient. */
function forEach(mail: SentMail, make: (recipient: string) => EventRequest): readonly EventRequest[] {
  return mail.rcptTo.map(make);
}

/** Signed by Svix's scheme (https://docs.svix.com/receiving/verifying-payloads/how-manual). */
const resend: ToEvents = (mail, { secret }) =>
  ['email.sent', 'email.delivered'].map((type) => {
    const { from, to, subject, shown, id } = mail;
    const data = {
      email_id: id,
      created_at: isoOf(mail),
      from,
      to,
      subject,
      ...('tags' in shown ? { tags: shown['tags'] } : {}),
    };
    const body = JSON.stringify({ type, created_at: isoOf(mail), data });
    const signed = signWebhook([secret], { id: `msg_${randomUUID()}`, timestamp: nowSeconds(), body });
    const headers = Object.entries(signed).map(
      ([name, value]) => [name.replace('webhook-', 'svix-'), value] as const,
    );
    return { headers: { ...json, ...Object.fromEntries(headers) }, body };
  });

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features */
const sendgrid: ToEvents = (mail, { ecKey }) => {
  const { id, messageId, rcptTo, shown } = mail;
  const events = rcptTo.flatMap((email) =>
    ['processed', 'delivered'].map((event) => ({
      ...(shown['custom_args'] as object | undefined),
      email,
      event,
      timestamp: secondsOf(mail),
      'smtp-id': `<${messageId}>`,
      sg_event_id: randomBytes(16).toString('base64url'),
      sg_message_id: `${id}.recvd`,
      ...('categories' in shown ? { category: shown['categories'] } : {}),
      ...(event === 'delivered' ? { response: '250 OK' } : {}),
    })),
  );
  const body = JSON.stringify(events);
  const timestamp = String(nowSeconds());
  const signature = sign('sha256', Buffer.from(timestamp + body), ecKey).toString('base64');
  return [
    {
      headers: {
        ...json,
        'x-twilio-email-event-webhook-signature': signature,
        'x-twilio-email-event-webhook-timestamp': timestamp,
      },
      body,
    },
  ];
};

/** https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks */
const mailgun: ToEvents = (mail, { secret }) => {
  const { id, messageId, from, to, subject, shown } = mail;
  return mail.rcptTo.flatMap((recipient) =>
    ['accepted', 'delivered'].map((event) => {
      const [timestamp, token] = [String(nowSeconds()), randomBytes(25).toString('hex')];
      const signature = createHmac('sha256', secret)
        .update(timestamp + token)
        .digest('hex');
      const body = JSON.stringify({
        signature: { timestamp, token, signature },
        'event-data': {
          event,
          id,
          timestamp: mail.at / 1000,
          recipient,
          'log-level': 'info',
          message: { headers: { 'message-id': messageId, from, to: to.join(', '), subject } },
          tags: [shown['o:tag'] ?? []].flat(),
          'user-variables': shown['variables'] ?? {},
          ...(event === 'delivered' ? { 'delivery-status': { code: 250, message: 'OK' } } : {}),
        },
      });
      return { headers: json, body };
    }),
  );
};

/** Postmark signs nothing: its webhooks carry the Basic credentials of the URL, if it has any. */
const postmark: ToEvents = (mail) =>
  forEach(mail, (recipient) => {
    const { id, shown } = mail;
    const metadata = Object.entries(shown).flatMap(([name, value]) =>
      name.startsWith('Metadata-') ? [[name.slice('Metadata-'.length), value] as const] : [],
    );
    const event = {
      RecordType: 'Delivery',
      MessageID: id,
      Recipient: recipient,
      DeliveredAt: isoOf(mail),
      Details: '250 OK',
      Tag: shown['Tag'] ?? '',
      MessageStream: shown['MessageStream'] ?? 'outbound',
      ServerID: 0,
      Metadata: Object.fromEntries(metadata),
    };
    return { headers: json, body: JSON.stringify(event) };
  });

/** Brevo signs nothing. */
const brevo: ToEvents = (mail) =>
  mail.rcptTo.flatMap((email) =>
    ['request', 'delivered'].map((event) => {
      const { messageId, subject, shown } = mail;
      const date = isoOf(mail).slice(0, 19).replace('T', ' ');
      const view = {
        event,
        email,
        id: 0,
        date,
        ts: secondsOf(mail),
        ts_event: secondsOf(mail),
        ts_epoch: mail.at,
        'message-id': `<${messageId}>`,
        subject,
        ...('tags' in shown ? { tags: shown['tags'] } : {}),
        ...('templateId' in shown ? { template_id: shown['templateId'] } : {}),
      };
      return { headers: json, body: JSON.stringify(view) };
    }),
  );

const topic = 'arn:aws:sns:us-east-1:000000000000:mayfly';

/** Through SNS (https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html), signature version 2. */
const ses: ToEvents = async (mail, keys, origin) => {
  const { id, from, to, rcptTo, subject, shown } = mail;
  const common = { timestamp: isoOf(mail), source: from, messageId: id, destination: rcptTo };
  const message = JSON.stringify({
    notificationType: 'Delivery',
    eventType: 'Delivery',
    mail: { ...common, commonHeaders: { from: [from], to, subject }, tags: tagsOf(shown) },
    delivery: { timestamp: isoOf(mail), recipients: rcptTo, smtpResponse: '250 OK', processingTimeMillis: 0 },
  });
  return [await toSns(message, { at: isoOf(mail), keys, origin })];
};

function tagsOf(shown: SentMail['shown']): Record<string, string[]> {
  const tags = [shown['EmailTags'] ?? []].flat() as readonly { Name?: unknown; Value?: unknown }[];
  return Object.fromEntries(tags.map(({ Name, Value }) => [String(Name), [String(Value)]] as const));
}

interface Notifying {
  readonly at: string;
  readonly keys: EventKeys;
  readonly origin: string;
}

async function toSns(message: string, { at, keys, origin }: Notifying): Promise<EventRequest> {
  const messageId = randomUUID();
  const signedFields = {
    Message: message,
    MessageId: messageId,
    Timestamp: at,
    TopicArn: topic,
    Type: 'Notification',
  };
  const text = Object.entries(signedFields)
    .map(([name, value]) => `${name}\n${value}\n`)
    .join('');
  const { privateKey } = await keys.rsa();
  const body = JSON.stringify({
    ...signedFields,
    SignatureVersion: '2',
    Signature: sign('sha256', Buffer.from(text), privateKey).toString('base64'),
    SigningCertURL: `${origin}/ses/SimpleNotificationService.pem`,
    UnsubscribeURL: `${origin}/ses/?Action=Unsubscribe`,
  });
  const headers = {
    'content-type': 'text/plain; charset=UTF-8',
    'x-amz-sns-message-type': 'Notification',
    'x-amz-sns-message-id': messageId,
    'x-amz-sns-topic-arn': topic,
  };
  return { headers, body };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

export const eventFormats: Readonly<Record<string, ToEvents>> = {
  resend,
  sendgrid,
  mailgun,
  postmark,
  brevo,
  ses,
};
