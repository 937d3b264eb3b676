// Unmodified clients of Guerrilla Mail against the built service, with mail over SMTP and real waiting.

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runJavaScriptClient, runPythonClient } from '../support/clients/published-clients.ts';

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let mayfly: MayflyProcess;
beforeAll(async () => {
  folder = await createDataFolder();
  mayfly = await startMayfly(folder.path, { MAYFLY_COMPAT_PORT: '0', MAYFLY_LIMITS_RATE: 'off' });
}, 300_000);
afterAll(async () => {
  await mayfly.stop();
  await folder.remove();
});

const url = (): string => `${mayfly.compatOrigin ?? ''}/ajax.php`;

function last(output: string): unknown {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

const pythonSend = `
import json, smtplib, sys, threading
url, smtp_port = sys.argv[1:]

def send(to, subject, body, kind="plain"):
    with smtplib.SMTP("127.0.0.1", int(smtp_port)) as smtp:
        head = f"From: Ann <ann@shop.example>\\r\\nSubject: {subject}\\r\\nContent-Type: text/{kind}\\r\\n\\r\\n"
        smtp.sendmail("ann@shop.example", [to], head + body + "\\r\\n")
`;

it('guerrillamail-api (Python): an address, waiting for mail, reading, naming, deleting, extending, forgetting', async () => {
  const program = `${pythonSend}
from guerrillamail import GuerrillaMailClient
with GuerrillaMailClient(api_url=url) as client:
    first = client.create_email()
    empty = client.check_inbox().total_count
    threading.Timer(0.5, send, (first.address, "Your <code>", "<p>Code <b>482913</b><script>x()</script></p>", "html")).start()
    message = client.wait_for_message(timeout=60, poll_interval=0.2, subject_contains="<code>", from_contains="ann@")
    named = client.set_username("quiet-fox")
    send(named.address, "second", "to the new name")
    second = client.wait_for_message(timeout=60, poll_interval=0.2)
    listed = client.list_inbox()
    read_again = client.check_inbox(seq=0).unread
    older = client.get_older_list(second.mail_id)["list"]
    deleted = client.delete_messages([message.mail_id, 999])
    try:
        client.read_message(message.mail_id)
        gone = None
    except Exception as error:
        gone = type(error).__name__
    extended = client.extend_time()
    try:
        GuerrillaMailClient(api_url=url).get_email_list()
    except Exception as error:
        lost = type(error).__name__
    again = client.create_email()
    forgotten = client.forget_address()
    after = client.create_email()
    print(json.dumps({
        "first": first.address, "empty": empty, "remaining": first.seconds_remaining(), "token": first.sid_token[:3],
        "subscription": first.subscription.active, "subject": message.mail_subject, "body": message.mail_body,
        "from": message.mail_from, "type": message.content_type, "named": named.address,
        "same": again.address, "second": second.mail_body, "total": listed.total_count,
        "subjects": [one.mail_subject for one in listed.messages], "unread": len(read_again),
        "older": [one["mail_id"] for one in older], "deleted": deleted, "gone": gone, "affected": extended.affected,
        "expired": extended.expired, "lost": lost, "forgotten": forgotten, "after": after.address,
    }))
`;
  const result = last(await runPythonClient(program, [url(), String(mayfly.smtpPort)])) as Record<
    string,
    unknown
  >;
  expect(result).toMatchObject({
    first: expect.stringMatching(/@mayfly\.test$/),
    empty: 0,
    token: 'mf_',
    subscription: false,
    subject: 'Your <code>',
    from: 'ann@shop.example',
    type: 'text/html',
    named: 'quiet-fox@mayfly.test',
    same: 'quiet-fox@mayfly.test',
    second: expect.stringContaining('to the new name'),
    total: 2,
    subjects: ['second', 'Your <code>'],
    unread: 0,
    older: ['1'],
    deleted: [1],
    gone: 'GuerrillaMailAPIError',
    expired: false,
    lost: 'GuerrillaMailSessionError',
    forgotten: true,
  });
  expect(result['body']).toContain('<b>482913</b>');
  expect(result['body']).not.toContain('script');
  expect(result['remaining']).toBeGreaterThan(3500);
  expect([result['first'], 'quiet-fox@mayfly.test']).not.toContain(result['after']);
}, 300_000);

it('python-guerrillamail: sessions that keep their state, and a name without a session', async () => {
  const program = `${pythonSend}
from guerrillamail import GuerrillaMailSession
session = GuerrillaMailSession(base_url=url.removesuffix("/ajax.php"))
first = session.get_session_state()["email_address"]
session.set_email_address("amber-owl")
named = session.get_session_state()["email_address"]
send(named, "hello", "a & b")
mails = session.get_email_list()
mail = session.get_email(mails[0].guid)
fresh = GuerrillaMailSession(base_url=url.removesuffix("/ajax.php"), email_address="grey-wolf@elsewhere.test")
print(json.dumps({"first": first, "named": named, "subject": mails[0].subject, "read": mails[0].read,
    "body": mail.body, "sender": mail.sender, "at": mail.datetime.year, "expired": session.is_expired(),
    "none": fresh.get_email_list(), "fresh": fresh.get_session_state()["email_address"]}))
`;
  // The two Python packages share a name: this one is a single file.
  const source = `
import importlib.util, sys, sysconfig, os
path = os.path.join(sysconfig.get_paths()["purelib"], "guerrillamail.py")
spec = importlib.util.spec_from_file_location("guerrillamail", path)
module = importlib.util.module_from_spec(spec); sys.modules["guerrillamail"] = module; spec.loader.exec_module(module)
${program}`;
  expect(last(await runPythonClient(source, [url(), String(mayfly.smtpPort)]))).toMatchObject({
    first: expect.stringMatching(/@mayfly\.test$/),
    named: 'amber-owl@mayfly.test',
    subject: 'hello',
    read: 0,
    sender: 'ann@shop.example',
    body: 'a &amp; b\n',
    expired: false,
    none: [],
    fresh: 'grey-wolf@mayfly.test',
  });
}, 300_000);

it('e2e-mailbox (npm): creating, naming, waiting, links, deleting and forgetting', async () => {
  const program = `
import mailbox from 'e2e-mailbox';
import { createTransport } from 'nodemailer';
const [url, port] = process.argv.slice(2);
const client = new mailbox.default('GUERRILLA');
client.mailbox.API_URL = url;
const first = await client.createEmailAddress();
const before = await client.fetchEmailList();
const { email_addr: named } = await client.mailbox.setEmailAddress('brisk-owl@anything.test');
const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true });
const html = '<p>Go <a href="https://shop.example/verify?c=1">there</a></p>';
for (let isSent = false; !isSent;) {
  isSent = await transport.sendMail({ from: 'ann@shop.example', to: named, subject: 'Confirm', html }).then(
    () => true,
    (error) => {
      // The machine is busy: as senders do, it comes again.
      if (error.responseCode !== 421) throw error;
    },
  );
}
const mail = await client.waitForEmail('Confirm', 30);
const links = client.extractLinksFromEmail(mail);
const isDeleted = await client.deleteEmailById(mail.mail_id);
const gone = await client.fetchEmailById(mail.mail_id);
const left = await client.fetchEmailList();
const isForgotten = await client.forgetEmailAddress(first);
const again = await client.createEmailAddress();
console.log(JSON.stringify({ first, before, named, mail, links, isDeleted, gone, left, isForgotten, again }));
`;
  const result = last(await runJavaScriptClient(program, [url(), String(mayfly.smtpPort)]));
  expect(result).toMatchObject({
    first: expect.stringMatching(/@mayfly\.test$/),
    before: [],
    named: 'brisk-owl@mayfly.test',
    links: ['https://shop.example/verify?c=1'],
    mail: {
      mail_id: expect.stringMatching(/^\d+$/),
      mail_subject: 'Confirm',
      mail_from: 'ann@shop.example',
      mail_read: '1',
    },
    isDeleted: true,
    gone: false,
    left: [],
    isForgotten: true,
    again: expect.stringMatching(/@mayfly\.test$/),
  });
}, 300_000);

/** Once a client has the name, mail for it is accepted. */
async function sendTo(name: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  const mail = {
    from: 'ann@shop.example',
    to: `${name}@mayfly.test`,
    subject: 'Your code',
    text: 'It is 482913.',
  };
  await eventually(
    () =>
      transport.sendMail(mail).then(
        () => true,
        () => undefined,
      ),
    'the address is lent',
  );
}

it('runs the code of the documentation', async () => {
  const page = 'compat/guerrilla-mail.md';
  const replaced = (name: string) => ({ 'http://127.0.0.1:8025/ajax.php': url(), 'quiet-fox': name });
  const python = runPythonClient(printedLines(page, { language: 'python' }, replaced('printed-py')));
  await sendTo('printed-py');
  expect(await python).toBe('printed-py@mayfly.test\nIt is 482913.\n\n');
  const js = runJavaScriptClient(printedLines(page, { language: 'js' }, replaced('printed-js')));
  await sendTo('printed-js');
  expect(await js).toBe('printed-js@mayfly.test\nIt is 482913.\n\n');
}, 300_000);
