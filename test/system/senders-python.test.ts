// The official clients of senders for Python, unmodified, against the built service, each with the example of its own
// documentation.

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runPythonClient } from '../support/clients/published-clients.ts';
import { openSenderService, type SenderService } from '../support/clients/sender-service.ts';

let service: SenderService;

beforeAll(async () => {
  service = await openSenderService();
});

afterAll(() => service.close());

interface Client {
  readonly name: string;
  readonly program: string;
  readonly env?: (origin: string, token: string) => NodeJS.ProcessEnv;
  /** The subjects of the mails, in order. */
  readonly subjects: readonly string[];
  readonly reported: unknown;
}

const start = 'import json, os, sys\norigin, token = sys.argv[1:]\n';

const clients: readonly Client[] = [
  {
    name: 'sendgrid',
    program: `
from sendgrid import SendGridAPIClient
from sendgrid.helpers.mail import Mail
message = Mail(from_email='from_email@example.com', to_emails='to@example.com',
    subject='Sending with Twilio SendGrid is Fun', html_content='<strong>and easy to do anywhere, even with Python</strong>')
response = SendGridAPIClient('SG.' + token, host=origin).send(message)
below = SendGridAPIClient('SG.' + token, host=origin + '/sendgrid').send(message)
print(json.dumps([response.status_code, below.status_code, 'X-Message-Id' in response.headers]))
`,
    subjects: ['Sending with Twilio SendGrid is Fun', 'Sending with Twilio SendGrid is Fun'],
    reported: [202, 202, true],
  },
  {
    name: 'resend',
    env: (origin, token) => ({ RESEND_API_KEY: `re_${token}`, RESEND_API_URL: origin }),
    program: `
import resend
resend.api_key = os.environ['RESEND_API_KEY']
params = {'from': 'onboarding@resend.dev', 'to': ['delivered@resend.dev'], 'subject': 'hi',
    'html': '<strong>hello, world!</strong>', 'reply_to': 'to@gmail.com', 'bcc': 'bcc@resend.dev',
    'tags': [{'name': 'tag1', 'value': 'tagvalue1'}]}
email = resend.Emails.send(params)
batch = resend.Batch.send([params, {**params, 'subject': 'second'}])
print(json.dumps([len(email['id']), len(batch['data'])]))
`,
    subjects: ['hi', 'hi', 'second'],
    reported: [36, 2],
  },
  {
    name: 'postmark',
    program: `
import postmark.sync
with postmark.sync.ServerClient(token, base_url=origin) as client:
    response = client.outbound.send({'sender': 'sender@example.com', 'to': 'recipient@example.com',
        'subject': 'Hello from Postmark', 'text_body': 'Sent with the Postmark Python SDK.'})
    print(json.dumps([len(response.message_id)]))
`,
    subjects: ['Hello from Postmark'],
    reported: [36],
  },
  {
    name: 'mailgun',
    program: `
from mailgun.client import Client
with Client(auth=('api', token), api_url=origin) as client:
    response = client.messages.create(domain='example.org', data={'from': 'Excited User <mailgun@example.org>',
        'to': ['bar@example.com'], 'subject': 'Hello from Mailgun Python SDK', 'text': 'Testing some Mailgun awesomeness!'})
    print(json.dumps([response.status_code, response.json()['message']]))
`,
    subjects: ['Hello from Mailgun Python SDK'],
    reported: [200, 'Queued. Thank you.'],
  },
  {
    name: 'brevo',
    program: `
from brevo import Brevo
from brevo.transactional_emails import SendTransacEmailRequestSender, SendTransacEmailRequestToItem
client = Brevo(api_key='xkeysib-' + token, base_url=origin + '/v3')
sent = client.transactional_emails.send_transac_email(
    html_content='<p>Your delivery is expected {{params.estimatedArrival}}.</p>', params={'estimatedArrival': 'Tomorrow'},
    sender=SendTransacEmailRequestSender(email='hello@brevo.com', name='Alex from Brevo'),
    subject='Hello from Brevo!', to=[SendTransacEmailRequestToItem(email='johndoe@example.com', name='John Doe')])
print(json.dumps([sent.message_id.startswith('<')]))
`,
    subjects: ['Hello from Brevo!'],
    reported: [true],
  },
  {
    name: 'boto3',
    env: (origin, token) => ({
      AWS_ENDPOINT_URL: origin,
      AWS_ACCESS_KEY_ID: token,
      AWS_SECRET_ACCESS_KEY: 'any',
      AWS_DEFAULT_REGION: 'eu-west-1',
    }),
    program: `
import boto3
ses = boto3.client('ses')
message = {'Subject': {'Data': 'Amazon SES Test', 'Charset': 'UTF-8'}, 'Body': {'Text': {'Data': 'This email was sent with Amazon SES'}}}
one = ses.send_email(Source='sender@example.com', Destination={'ToAddresses': ['a@example.com']}, Message=message)
raw = ses.send_raw_email(RawMessage={'Data': b'From: s@example.com\\nTo: r@example.com\\nSubject: Raw\\n\\nHi.\\n'})
two = boto3.client('sesv2').send_email(FromEmailAddress='sender@example.com',
    Destination={'ToAddresses': ['b@example.com']}, Content={'Simple': {'Subject': {'Data': 'Version 2'}, 'Body': {'Html': {'Data': '<p>Hi</p>'}}}})
print(json.dumps([answer['MessageId'][:4] for answer in (one, raw, two)]))
`,
    subjects: ['Amazon SES Test', 'Raw', 'Version 2'],
    reported: ['0100', '0100', '0100'],
  },
];

it.each(clients)('takes mail of $name', async ({ program, env, subjects, reported }) => {
  const { token, mails } = await service.openInbox();
  const output = await runPythonClient(
    start + program,
    [service.origin, token],
    env?.(service.origin, token),
  );
  expect(JSON.parse(output.trim().split('\n').at(-1) ?? '')).toEqual(reported);
  expect((await mails()).map(({ subject }) => subject)).toEqual(subjects);
});
