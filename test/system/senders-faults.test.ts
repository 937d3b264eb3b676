// A failing call as the official clients report it, unmodified: the class, status and code that each service documents.
// `limited` is 429, `failing` 500, `late` no answer before the client's own time-out, `denied` a wrong key, `wrong` an
// address that is none, `missing` a required field that is not there.

import { afterAll, beforeAll, expect, it } from 'vitest';

import { plannedFaults, planFault } from '../support/clients/planned-faults.ts';
import { runJavaScriptClient, runPythonClient } from '../support/clients/published-clients.ts';
import { openSenderService, type SenderService } from '../support/clients/sender-service.ts';

let service: SenderService;

beforeAll(async () => {
  service = await openSenderService();
});

afterAll(() => service.close());

type Faults = Readonly<Record<string, unknown>>;

interface Client {
  readonly name: string;
  /** A function `send(key, change)`, and `describe(error)`. */
  readonly program: string;
  readonly wrong: object;
  readonly missing: object;
  readonly faults: Faults;
}

const situations = ['limited', 'failing', 'late', 'denied', 'wrong', 'missing'];
const a = 'a@x.example';

const node: readonly Client[] = [
  {
    name: 'resend',
    program: `
      import { Resend } from 'resend';
      const send = async (key, change) => {
        const answer = await new Resend('re_' + key, { baseUrl: origin, maxRetries: 0 })
          .emails.send({ from: a, to: a, subject: 'x', text: 'x', ...change });
        if (answer.error) throw answer;
      };
      const describe = ({ error, headers }) => [error.name, error.statusCode, headers?.['retry-after'] ?? ''];`,
    wrong: { to: 'none' },
    missing: { subject: undefined },
    faults: {
      limited: ['rate_limit_exceeded', 429, '1'],
      failing: ['application_error', 500, ''],
      denied: ['invalid_api_key', 401, ''],
      wrong: ['validation_error', 422, ''],
      missing: ['missing_required_field', 422, ''],
    },
  },
  {
    name: 'postmark',
    program: `
      import { ServerClient } from 'postmark';
      const send = (key, change) => new ServerClient(key, { useHttps: false, requestHost: origin.replace('http://', ''), timeout: 1 })
        .sendEmail({ From: a, To: a, TextBody: 'x', ...change });
      const describe = ({ name, statusCode, code }) => [name, statusCode, code];`,
    wrong: { To: 'none' },
    missing: { TextBody: undefined },
    faults: {
      limited: ['RateLimitExceededError', 429, 429],
      failing: ['InternalServerError', 500, 500],
      late: ['PostmarkError', 0, 0],
      denied: ['InvalidAPIKeyError', 401, 10],
      wrong: ['InvalidEmailRequestError', 422, 300],
      missing: ['InvalidEmailRequestError', 422, 300],
    },
  },
  {
    name: '@sendgrid/mail',
    program: `
      import mail from '@sendgrid/mail';
      import client from '@sendgrid/client';
      const send = async (key, change) => {
        client.setApiKey('SG.' + key);
        client.setDefaultRequest('baseUrl', origin + '/');
        client.setDefaultRequest('timeout', 1000);
        mail.setClient(client);
        await mail.send({ from: a, to: a, subject: 'x', text: 'x', ...change });
      };
      const describe = ({ constructor, code, response }) => [constructor.name, code, response?.body.errors[0].field ?? ''];`,
    wrong: { from: 'none' },
    missing: { subject: undefined },
    faults: {
      limited: ['ResponseError', 429, ''],
      failing: ['ResponseError', 500, ''],
      late: ['AxiosError', 'ECONNABORTED', ''],
      denied: ['ResponseError', 401, ''],
      wrong: ['ResponseError', 400, 'from.email'],
      missing: ['ResponseError', 400, 'subject'],
    },
  },
  {
    name: 'mailgun.js',
    program: `
      import FormData from 'form-data';
      import Mailgun from 'mailgun.js';
      const send = (key, change) => new Mailgun(FormData).client({ username: 'api', key, url: origin, timeout: 1000 })
        .messages.create('x.example', { from: a, to: a, text: 'x', ...change });
      const describe = ({ type, status, message, details }) => [type, status, message, details];`,
    wrong: { to: 'none' },
    missing: { from: undefined },
    faults: {
      limited: ['MailgunAPIError', 429, 'Too Many Requests', 'Too many requests. Please retry later.'],
      failing: ['MailgunAPIError', 500, 'Internal Server Error', 'Internal Server Error'],
      late: ['MailgunAPIError', 400, 'ECONNABORTED', 'timeout of 1000ms exceeded'],
      denied: ['MailgunAPIError', 401, 'Unauthorized', 'Invalid private key'],
      wrong: ['MailgunAPIError', 400, 'Bad Request', expect.stringContaining("'to' parameter")],
      missing: ['MailgunAPIError', 400, 'Bad Request', "'from' parameter is missing"],
    },
  },
  {
    name: '@getbrevo/brevo',
    program: `
      import { BrevoClient } from '@getbrevo/brevo';
      const send = (key, change) => new BrevoClient({ apiKey: 'xkeysib-' + key, baseUrl: origin + '/v3', maxRetries: 0, timeoutInSeconds: 1 })
        .transactionalEmails.sendTransacEmail({ sender: { email: a }, to: [{ email: a }], subject: 'x', textContent: 'x', ...change });
      const describe = ({ name, statusCode, body }) => [name, statusCode ?? 0, body?.code ?? ''];`,
    wrong: { to: [{ email: 'none' }] },
    missing: { subject: undefined },
    faults: {
      limited: ['BrevoError', 429, 'too_many_requests'],
      failing: ['BrevoError', 500, 'internal_error'],
      late: ['BrevoError', 0, ''],
      denied: ['BrevoError', 401, 'unauthorized'],
      wrong: ['BadRequestError', 400, 'invalid_parameter'],
      missing: ['BadRequestError', 400, 'missing_parameter'],
    },
  },
  ...[
    {
      name: '@aws-sdk/client-sesv2',
      client: 'SESv2Client',
      call: `{ FromEmailAddress: a, Destination: { ToAddresses: [a] },
        Content: { Simple: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } } }, ...change }`,
      wrong: { FromEmailAddress: 'none' },
      missing: { Content: undefined },
      faults: {
        limited: ['TooManyRequestsException', 429, 'client'],
        failing: ['InternalServiceErrorException', 500, 'server'],
        late: ['TimeoutError', 0, ''],
        denied: ['UnrecognizedClientException', 403, 'client'],
        wrong: ['BadRequestException', 400, 'client'],
        missing: ['BadRequestException', 400, 'client'],
      },
    },
    {
      name: '@aws-sdk/client-ses',
      client: 'SESClient',
      call: `{ Source: a, Destination: { ToAddresses: [a] },
        Message: { Subject: { Data: 'x' }, Body: { Text: { Data: 'x' } } }, ...change }`,
      wrong: { Source: 'none' },
      missing: { Source: undefined },
      faults: {
        limited: ['Throttling', 400, 'client'],
        failing: ['InternalFailure', 500, 'server'],
        late: ['TimeoutError', 0, ''],
        denied: ['InvalidClientTokenId', 403, 'client'],
        wrong: ['InvalidParameterValue', 400, 'client'],
        missing: ['ValidationError', 400, 'client'],
      },
    },
  ].map(({ client, call, ...rest }) => ({
    ...rest,
    program: `
      import { ${client}, SendEmailCommand } from '${rest.name}';
      const send = (key, change) => new ${client}({
        endpoint: origin, region: 'eu-west-1', maxAttempts: 1, credentials: { accessKeyId: key, secretAccessKey: 'x' },
        requestHandler: { requestTimeout: 1000, throwOnRequestTimeout: true },
      }).send(new SendEmailCommand(${call}));
      const describe = ({ name, $metadata, $fault }) => [name, $metadata?.httpStatusCode ?? 0, $fault ?? ''];`,
  })),
];

const inNode = ({ program, wrong, missing }: Client): string => `
  ${program}
  const [origin, situation, token] = process.argv.slice(2);
  const a = '${a}';
  const changes = { wrong: ${JSON.stringify(wrong)}, missing: { ${Object.keys(missing)
    .map((name) => `${name}: undefined`)
    .join()} } };
  try {
    await send(situation === 'denied' ? 'wrong' : token, changes[situation] ?? {});
    console.log('["sent"]');
  } catch (error) {
    console.log(JSON.stringify(describe(error)));
  }`;

async function faultsOf(
  wanted: readonly string[],
  run: (situation: string, token: string) => Promise<string>,
) {
  const seen: Record<string, unknown> = {};
  for (const situation of wanted) {
    const { token, mails } = await service.openInbox();
    const rule = plannedFaults[situation];
    if (rule) await planFault(service, token, rule);
    seen[situation] = JSON.parse((await run(situation, token)).trim().split('\n').at(-1) ?? '');
    expect([situation, await mails()]).toEqual([situation, []]);
  }
  return seen;
}

it.each(node)('Node.js: $name', { timeout: 240_000 }, async (client) => {
  const wanted = situations.filter((one) => one in client.faults);
  const seen = await faultsOf(wanted, (situation, token) =>
    runJavaScriptClient(inNode(client), [service.origin, situation, token]),
  );
  expect(seen).toEqual(client.faults);
});

const pythonPrograms: Readonly<Record<string, string>> = {
  sendgrid: `
from sendgrid import SendGridAPIClient
def send(key, to, subject):
    SendGridAPIClient('SG.' + key, host=origin).client.mail.send.post(request_body={'personalizations': [{'to': [{'email': to}]}],
        'from': {'email': a}, 'subject': subject, 'content': [{'type': 'text/plain', 'value': 'x'}]})
def describe(error): return error.status_code
`,
  resend: `
import resend
def send(key, to, subject):
    resend.api_key, resend.api_url = 're_' + key, origin
    resend.Emails.send({'from': a, 'to': [to], 'subject': subject, 'text': 'x'})
def describe(error): return error.error_type
`,
  brevo: `
from brevo import Brevo
def send(key, to, subject):
    Brevo(api_key='xkeysib-' + key, base_url=origin + '/v3').transactional_emails.send_transac_email(text_content='x',
        sender={'email': a}, to=[{'email': to}], subject=subject, request_options={'max_retries': 0})
def describe(error): return error.status_code
`,
  boto3: `
import boto3
from botocore.config import Config
def send(key, to, subject):
    boto3.client('sesv2', endpoint_url=origin, aws_access_key_id=key, aws_secret_access_key='x', region_name='eu-west-1',
        config=Config(retries={'total_max_attempts': 1})).send_email(FromEmailAddress=a if subject else '',
        Destination={'ToAddresses': [to]}, Content={'Simple': {'Subject': {'Data': 'x'}, 'Body': {'Text': {'Data': 'x'}}}})
def describe(error): return error.response['Error']['Code']
`,
};

const pythonFaults: Readonly<Record<string, Faults>> = {
  sendgrid: {
    limited: ['TooManyRequestsError', 429],
    failing: ['InternalServerError', 500],
    denied: ['UnauthorizedError', 401],
    wrong: ['BadRequestsError', 400],
    missing: ['BadRequestsError', 400],
  },
  resend: {
    limited: ['RateLimitError', 'rate_limit_exceeded'],
    failing: ['ApplicationError', 'application_error'],
    denied: ['ResendError', 'invalid_api_key'],
    wrong: ['ValidationError', 'validation_error'],
    missing: ['MissingRequiredFieldsError', 'missing_required_field'],
  },
  brevo: {
    limited: ['ApiError', 429],
    failing: ['ApiError', 500],
    denied: ['ApiError', 401],
    wrong: ['BadRequestError', 400],
    missing: ['BadRequestError', 400],
  },
  boto3: {
    limited: ['TooManyRequestsException', 'TooManyRequestsException'],
    failing: ['InternalServiceErrorException', 'InternalServiceErrorException'],
    denied: ['ClientError', 'UnrecognizedClientException'],
    wrong: ['BadRequestException', 'BadRequestException'],
    missing: ['BadRequestException', 'BadRequestException'],
  },
};

it.each(Object.keys(pythonPrograms))('Python: %s', { timeout: 240_000 }, async (name) => {
  const faults = pythonFaults[name] ?? {};
  const seen = await faultsOf(Object.keys(faults), (situation, token) => {
    const program = `
import json, sys
origin, situation, token = sys.argv[1:]
a = '${a}'
${pythonPrograms[name] ?? ''}
try:
    send('wrong' if situation == 'denied' else token, 'none' if situation == 'wrong' else a, '' if situation == 'missing' else 'x')
    print('["sent"]')
except Exception as error:
    print(json.dumps([type(error).__name__, describe(error)]))
`;
    return runPythonClient(program, [service.origin, situation, token]);
  });
  expect(seen).toEqual(faults);
});
