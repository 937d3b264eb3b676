// Unmodified clients of mail.tm against the built service: mail arrives over SMTP, and the clients wait for it
// themselves.

import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runJavaScriptClient, runPythonClient } from '../support/clients/published-clients.ts';

const page = 'compat/mail-tm.md';
const printed = 'http://127.0.0.1:8025';

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let mayfly: MayflyProcess;
let postman: Server;
/** The listener's origin, and the URL at which a client's program requests mail: `?to=&subject=`. */
let given: readonly [string, string];
beforeAll(async () => {
  folder = await createDataFolder();
  mayfly = await startMayfly(folder.path, { MAYFLY_COMPAT_PORT: '0' });
  postman = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://postman');
    void send(searchParams.get('to') ?? '', searchParams.get('subject') ?? 'Hello').then(
      () => response.end('sent'),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(postman, 'listening');
  given = [mayfly.compatOrigin ?? '', `http://127.0.0.1:${(postman.address() as AddressInfo).port}/`];
}, 300_000);
afterAll(async () => {
  postman.close();
  await mayfly.stop();
  await folder.remove();
});

async function send(to: string, subject: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  await comeAgain(() =>
    transport.sendMail({
      from: 'Ann <ann@shop.example>',
      to: `Fox <${to}>`,
      subject,
      text: 'Your code is 482913',
      html: '<p onclick="evil()">Your code is <b>482913</b></p>',
      attachments: [{ filename: 'a.txt', content: 'attached' }],
    }),
  );
}

const clientsTake = 120_000;

const everyCall = `
import Mailjs from '@cemalgnlts/mailjs';
const [origin, postman] = process.argv.slice(2);
const connect = () => Object.assign(new Mailjs(), { baseUrl: origin, baseMercure: origin + '/.well-known/mercure' });
const client = connect();
const made = await client.createOneAccount(true);
const { username: address, password } = made.data;
const { data: [domain] } = await client.getDomains();
const received = {};
const hear = (name) => new Promise((resolve) => client.on(name, (message) => resolve((received[name] = message))));
await hear('open');
client.on('error', () => undefined);
const pending = [hear('arrive'), hear('seen'), hear('delete')];
await fetch(postman + '?to=' + address);
const { id } = await pending[0];
const listed = await client.getMessages();
const message = await client.getMessage(id);
const source = await client.getSource(id);
const seen = await client.setMessageSeen(id);
await pending[1];
const unseen = await client.setMessageSeen(id, false);
const deleted = await client.deleteMessage(id);
await pending[2];
const other = connect();
const again = await other.login(address, password);
const byToken = await connect().loginWithToken(client.token);
const taken = await other.register(address, password);
const wrong = await connect().login(address, 'wrong');
const me = await other.me();
const account = await other.getAccount(other.id);
const foreign = await other.getMessage('0'.repeat(24));
const gone = await client.deleteMe();
const after = await other.me();
console.log(JSON.stringify({
  made: made.status, domain: domain.domain, oneDomain: (await client.getDomain(domain.id)).data.domain,
  received: ['arrive', 'seen', 'delete'].map((name) => [received[name].id === id, received[name].seen, received[name].isDeleted]),
  listed: listed.data.map(({ id: one, to, subject, intro, hasAttachments }) => [one === id, to, subject, intro, hasAttachments]),
  message: [message.data.text, message.data.html, message.data.attachments.map(({ filename, size }) => [filename, size])],
  source: source.data.data.includes('attached') || source.data.data.includes('YXR0YWNoZWQ='),
  marks: [seen.data, unseen.data], deleted: [deleted.status, deleted.statusCode],
  again: again.data.id === client.id || again.status, byToken: byToken.status, me: me.data.address === address,
  account: account.data.address === address, taken: [taken.statusCode, taken.message],
  wrong: [wrong.statusCode, wrong.message], foreign: foreign.statusCode, gone: gone.statusCode, after: after.statusCode,
}));
process.exit();
`;

it(
  'serves every call of @cemalgnlts/mailjs, and its listeners',
  async () => {
    const result = JSON.parse(await runJavaScriptClient(everyCall, given)) as unknown;
    expect(result).toEqual({
      made: true,
      domain: 'mayfly.test',
      oneDomain: 'mayfly.test',
      received: [
        [true, false, false],
        [true, true, false],
        [true, false, true],
      ],
      listed: [[true, [{ address: expect.any(String), name: 'Fox' }], 'Hello', 'Your code is 482913', true]],
      message: [
        expect.stringContaining('482913'),
        [expect.stringContaining('<p>Your code is <b>482913</b></p>')],
        [['a.txt', 8]],
      ],
      source: true,
      marks: [{ seen: true }, { seen: false }],
      deleted: [true, 204],
      again: true,
      byToken: true,
      me: true,
      account: true,
      taken: [422, 'address: This value is already used.'],
      wrong: [401, 'Invalid credentials.'],
      foreign: 404,
      gone: 204,
      after: 401,
    });
  },
  clientsTake,
);

const everyCallOfPython = `
import json, sys, urllib.request
from mailtm import MailTMClient

origin, postman = sys.argv[1:]
MailTMClient.BASE_URL = origin
[domain] = MailTMClient.get_domains()
address = "py." + "client@" + MailTMClient.get_domain_by_id(domain.id).domain
made = MailTMClient.create_account(address, "secret")
client = MailTMClient(address, "secret")
urllib.request.urlopen(postman + "?subject=First&to=" + address)
[listed] = client.get_messages()
message = client.get_message_by_id(listed.id)
print(json.dumps({
  "account": [made.id == client.account.id == client.get_account_by_id(made.id).id, made.address == address],
  "listed": [listed.subject, listed.from_.address, listed.to[0].name, listed.seen],
  "message": [message.text, message.attachments[0].filename, message.retention],
  "seen": client.mark_message_as_read(listed.id).seen,
  "source": "First" in client.get_message_source(listed.id).data,
  "deleted": [client.delete_message(listed.id), client.get_messages(), client.delete_account(made.id)],
}))
`;

it(
  'serves the calls of mailtm-python, which accepts no unknown field',
  async () => {
    expect(JSON.parse(await runPythonClient(everyCallOfPython, given))).toEqual({
      account: [true, true],
      listed: ['First', 'ann@shop.example', 'Fox', false],
      message: [expect.stringContaining('482913'), 'a.txt', true],
      seen: true,
      source: true,
      deleted: [true, [], true],
    });
  },
  clientsTake,
);

it(
  'runs the code printed for @cemalgnlts/mailjs',
  async () => {
    const lines = printedLines(
      page,
      { language: 'js' },
      {
        [printed]: given[0],
        'console.log(subject)': '(console.log(subject), process.exit())',
      },
    );
    // The stream must be open when the mail is sent, or it would miss it.
    const mail = `client.listener.onopen = () => fetch('${given[1]}?subject=Printed&to=' + client.address);`;
    const [address, subject] = (await runJavaScriptClient(lines + mail)).trim().split('\n');
    expect([address, subject]).toEqual([expect.stringMatching(/@mayfly\.test$/), 'Printed']);
  },
  clientsTake,
);

/** The mail is sent once the client has read the earlier state. */
const sendWhenAsked = `
import os, sys, urllib.request, requests
os.environ["HOME"], postman = sys.argv[1:]
get, polls = requests.get, []

def noting(url, **kwargs):
    response = get(url, **kwargs)
    if "/messages?" in url:
        polls.append(url)
        if len(polls) == 1:
            urllib.request.urlopen(postman + "?to=" + account.address)
    return response

requests.get = noting
`;

it(
  'runs the code printed for pymailtm',
  async () => {
    const lines = printedLines(page, { language: 'python' }, { [printed]: given[0] });
    const output = await runPythonClient(sendWhenAsked + lines, [folder.path, given[1]]);
    expect(output).toMatch(/^\w+@mayfly\.test\nYour code is 482913\n/);
  },
  clientsTake,
);
