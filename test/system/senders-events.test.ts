// Delivery events verified by the packages that the services publish for it, or name in their documentation: each
// accepts an event as it came, and refuses it with another body, time or signature.

import { it } from 'vitest';

import { runJavaScriptClient, runPythonClient } from '../support/clients/published-clients.ts';
import { expectVerified } from '../support/clients/signed-events.ts';

it(
  'in Node.js by svix, resend, @sendgrid/eventwebhook and sns-validator, and as Mailgun’s page does',
  { timeout: 240_000 },
  () =>
    expectVerified((file) =>
      runJavaScriptClient(
        `
      import { createHmac } from 'node:crypto';
      import { readFileSync } from 'node:fs';
      import { EventWebhook } from '@sendgrid/eventwebhook';
      import { Resend } from 'resend';
      import MessageValidator from 'sns-validator';
      import { Webhook } from 'svix';
      const { secret, publicKey, events } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
      const accepts = (check) => { try { return check() !== false; } catch { return false; } };
      const validator = new MessageValidator(/^127\\.0\\.0\\.1:\\d+$/);
      const validate = (body) => new Promise((resolve) => validator.validate(JSON.parse(body), (error) => resolve(!error)));
      const verifiers = {
        resend: ({ headers, body }) => [
          ['svix', accepts(() => new Webhook(secret).verify(body, headers))],
          ['resend', accepts(() => new Resend('re_x').webhooks.verify({ payload: body, webhookSecret: secret,
            headers: { id: headers['svix-id'], timestamp: headers['svix-timestamp'], signature: headers['svix-signature'] } }))],
        ],
        sendgrid: ({ headers, body }) => {
          const webhook = new EventWebhook();
          const key = webhook.convertPublicKeyToECDSA(publicKey);
          const name = 'x-twilio-email-event-webhook-';
          return [['@sendgrid/eventwebhook', accepts(() => webhook.verifySignature(key, body, headers[name + 'signature'], headers[name + 'timestamp']))]];
        },
        mailgun: ({ body }) => {
          const { timestamp, token, signature } = JSON.parse(body).signature;
          const encoded = createHmac('sha256', secret).update(timestamp.concat(token)).digest('hex');
          return [['documented', encoded === signature]];
        },
        ses: async ({ body }) => [['sns-validator', await validate(body)]],
      };
      console.log(JSON.stringify(await Promise.all(events.map((event) => verifiers[event.service](event)))));
    `,
        [file],
        // The proxy's certificate is its own.
        { NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
      ),
    ),
);

it('in Python by svix, resend and sendgrid', { timeout: 240_000 }, () =>
  expectVerified((file) =>
    runPythonClient(
      `
import json, sys
import resend
from sendgrid.helpers.eventwebhook import EventWebhook
from svix.webhooks import Webhook
trial = json.load(open(sys.argv[1]))
def accepts(check):
    try:
        return check() is not False
    except Exception:
        return False
def verify(event):
    headers, body = event['headers'], event['body']
    if event['service'] == 'resend':
        names = {name: headers['svix-' + name] for name in ('id', 'timestamp', 'signature')}
        return [['svix', accepts(lambda: Webhook(trial['secret']).verify(body, headers))],
            ['resend', accepts(lambda: resend.Webhooks.verify({'payload': body, 'headers': names, 'webhook_secret': trial['secret']}))]]
    if event['service'] == 'sendgrid':
        webhook = EventWebhook()
        key = webhook.convert_public_key_to_ecdsa(trial['publicKey'])
        name = 'x-twilio-email-event-webhook-'
        return [['sendgrid', accepts(lambda: webhook.verify_signature(body, headers[name + 'signature'], headers[name + 'timestamp'], key))]]
    return []
print(json.dumps([verify(event) for event in trial['events']]))
`,
      [file],
    ),
  ),
);
