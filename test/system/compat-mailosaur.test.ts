// Unmodified clients of Mailosaur against the built service, with mail over SMTP and real waiting.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createTransport } from 'nodemailer';

import { comeAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runJavaScriptClient, runPythonClient } from '../support/clients/published-clients.ts';
import { startTlsFront } from '../support/servers/tls-front.ts';

const html =
  '<div dir="ltr"><img src="https://a.example/logo.png"><p>Your verification code is <b>123456</b></p>' +
  '<a href="https://a.example/verify">Verify</a> <a href="https://a.example/verify"><img src="cid:cat" alt="Cat"></a></div>';
const text = 'Your verification code is 654321\n\nhttps://a.example/verify\n';
const cat = Buffer.alloc(82_138, 'cat');
const dog = Buffer.alloc(212_080, 'dog');

let folder: Awaited<ReturnType<typeof createDataFolder>>;
let mayfly: MayflyProcess;
beforeAll(async () => {
  folder = await createDataFolder();
  mayfly = await startMayfly(folder.path, { MAYFLY_COMPAT_PORT: '0' });
}, 300_000);
afterAll(async () => {
  await mayfly.stop();
  await folder.remove();
});

async function lend() {
  const { email, token } = await mayfly.lend({ capture: '1' });
  const [server = '', ...domain] = email.slice('*@'.length).split('.');
  return { token, server, smtpHost: domain.join('.'), origin: mayfly.compatOrigin ?? '' };
}

async function send(to: string, subject: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  await comeAgain(() =>
    transport.sendMail({
      from: 'Ann <ann@shop.example>',
      to: `The Fox <${to}>`,
      subject,
      html,
      text,
      attachments: [
        { filename: 'cat.png', content: cat, cid: 'cat' },
        { filename: 'dog.png', content: dog },
      ],
    }),
  );
}

/** Waits with `get`; the mail is sent once a first search has returned nothing. */
const waiting = `
import json, smtplib, sys, threading
from mailosaur import MailosaurClient
from mailosaur.models import SearchCriteria

origin, token, smtp_port = sys.argv[1:]
client = MailosaurClient(token, origin + "/")
server = client.servers.list().items[0]["id"]
address = client.servers.generate_email_address(server)
polls = []

def send():
    with smtplib.SMTP("127.0.0.1", int(smtp_port)) as smtp:
        smtp.sendmail("ann@shop.example", [address], "Subject: Awaited\\r\\n\\r\\nYour code is 482913\\r\\n")

def note(response, *args, **kwargs):
    if "/api/messages/search" in response.url:
        polls.append(response.headers.get("x-ms-delay"))
        if len(polls) == 1:
            threading.Thread(target=send).start()

client.messages.session.hooks["response"].append(note)
criteria = SearchCriteria()
criteria.sent_to = address
found = client.messages.search(server, criteria, timeout=60000)
message = client.messages.get_by_id(found.items[0].id)
print(json.dumps({"address": address, "polls": polls, "subject": message.subject,
  "codes": [c.value for c in message.text.codes]}))
`;

/** The requests that the client's own tests make to a server with five messages. */
const calls = `
import json, sys
from datetime import datetime, timedelta
from mailosaur import MailosaurClient
from mailosaur.models import MailosaurException, MessageCreateOptions, SearchCriteria, ServerCreateOptions

origin, token, server, to = sys.argv[1:]
client = MailosaurClient(token, origin + "/")
def failure(call):
    try:
        call()
    except MailosaurException as error:
        return [error.http_status_code, error.message]
def find(**given):
    criteria = SearchCriteria()
    for name, value in given.items():
        setattr(criteria, name, value)
    return [one.subject for one in client.messages.search(server, criteria).items]
items = client.messages.list(server).items
email = client.messages.get_by_id(items[0].id)
since = datetime.today() + timedelta(minutes=1)
report = {
  "subjects": [one.subject for one in items],
  "summary": [items[0].type, items[0].server, items[0].attachments, items[0].summary != ""],
  "from": [email.sender[0].name, email.sender[0].email],
  "to": [email.to[0].name, email.to[0].email],
  "html": [email.html.body.startswith('<div dir="ltr">'), [[l.href, l.text] for l in email.html.links],
           [c.value for c in email.html.codes], [[i.src, i.alt] for i in email.html.images]],
  "text": [[[l.href, l.text] for l in email.text.links], [c.value for c in email.text.codes]],
  "files": [[a.file_name, a.content_type, a.length, len(client.files.get_attachment(a.id).content)] for a in email.attachments],
  "source": email.subject in client.files.get_email(email.id).text,
  "metadata": [email.metadata.ehlo != "", email.metadata.mail_from, [r.email for r in email.metadata.rcpt_to]],
  "header": [h.value for h in email.metadata.headers if h.field.lower() == "subject"],
  "page": [one.subject for one in client.messages.list(server, page=1, items_per_page=2).items],
  "past": len(client.messages.list(server, received_after=datetime.today() - timedelta(minutes=10)).items),
  "future": len(client.messages.list(server, received_after=since).items),
  "by": [find(sent_from="ANN@shop.example"), find(sent_to=to), find(subject="number 3"), find(body="code is 654321", subject="number 2")],
  "any": len(find(subject="number 3", body="verification code", match="ANY")),
  "none": find(subject="ellipsis … and emoji 👨🏿‍🚒"),
  "password": client.servers.get_password(server) == token,
  "failures": [failure(lambda: client.messages.search(server, SearchCriteria())),
    failure(lambda: client.messages.get_by_id("efe907e9-74ed-4113-a3e0-a3d41d914765")),
    failure(lambda: client.servers.get("not_found")),
    failure(lambda: client.servers.create(ServerCreateOptions())),
    failure(lambda: client.messages.create(server, MessageCreateOptions(to, True, "x", "y"))),
    failure(lambda: MailosaurClient("invalid_key", origin + "/").servers.list())],
}
client.messages.delete(items[4].id)
report["deleted"] = failure(lambda: client.messages.delete(items[4].id))
client.messages.delete_all(server)
report["left"] = len(client.messages.list(server).items)
print(json.dumps(report))
`;

describe("Python's client", () => {
  it('receives mail while it waits, by a delayed search', async () => {
    const { token, smtpHost, origin, server } = await lend();
    const env = { MAILOSAUR_SMTP_HOST: smtpHost };
    const result = await runPythonClient(waiting, [origin, token, String(mayfly.smtpPort)], env);
    const { address, polls, subject, codes } = JSON.parse(result) as Record<string, unknown>;
    expect(address).toMatch(new RegExp(`@${server}\\.mayfly\\.test$`));
    expect({ subject, codes }).toEqual({ subject: 'Awaited', codes: ['482913'] });
    // Each empty response was delayed: the last request found the mail.
    expect((polls as unknown[]).at(-1)).toBeNull();
    expect(new Set((polls as unknown[]).slice(0, -1))).toEqual(new Set(['1']));
  });

  it('gets what its own tests require', async () => {
    const { token, server, smtpHost, origin } = await lend();
    for (const number of [1, 2, 3, 4, 5]) {
      await send(`fox${number}@${server}.${smtpHost}`, `This is number ${number}`);
    }
    const to = `fox4@${server}.${smtpHost}`;
    const report = JSON.parse(await runPythonClient(calls, [origin, token, server, to])) as unknown;
    const link = 'https://a.example/verify';
    const subjects = [5, 4, 3, 2, 1].map((number) => `This is number ${number}`);
    expect(report).toEqual({
      subjects,
      summary: ['Email', server, 2, true],
      from: ['Ann', 'ann@shop.example'],
      to: ['The Fox', `fox5@${server}.${smtpHost}`],
      html: [
        true,
        [
          [link, 'Verify'],
          [link, null],
        ],
        ['123456'],
        [
          ['https://a.example/logo.png', null],
          ['cid:cat', 'Cat'],
        ],
      ],
      text: [[[link, link]], ['654321']],
      files: [
        ['cat.png', 'image/png', 82_138, 82_138],
        ['dog.png', 'image/png', 212_080, 212_080],
      ],
      source: true,
      metadata: [true, 'ann@shop.example', [`fox5@${server}.${smtpHost}`]],
      header: ['This is number 5'],
      page: subjects.slice(2, 4),
      past: 5,
      future: 0,
      by: [subjects, ['This is number 4'], ['This is number 3'], ['This is number 2']],
      any: 5,
      none: [],
      password: true,
      failures: [
        [400, expect.stringMatching(/^\(criteria\) /)],
        [404, 'Not found, check input parameters.'],
        [404, 'Not found, check input parameters.'],
        [400, '(name) Servers need a name\r\n'],
        [400, expect.stringMatching(/^\(send\) Nothing is sent/)],
        [401, 'Authentication failed, check your API key.'],
      ],
      deleted: [404, 'Not found, check input parameters.'],
      left: 0,
    });
  });

  it('runs the code of the documentation', async () => {
    const { token, smtpHost, origin } = await lend();
    const lines = printedLines(
      'compat/mailosaur.md',
      { language: 'python' },
      { TOKEN: token, 'http://127.0.0.1:8025': origin },
    );
    // Mail is sent to each printed address, as the service under test would.
    const sending = `
import builtins, smtplib
def print(text, **options):
    builtins.print(text, **options)
    if "@" in text:
        with smtplib.SMTP("127.0.0.1", ${mayfly.smtpPort}) as smtp:
            smtp.sendmail("ann@shop.example", [text], "Subject: Welcome\\r\\n\\r\\nYour code is 482913\\r\\n")
`;
    const result = await runPythonClient(sending + lines, [], { MAILOSAUR_SMTP_HOST: smtpHost });
    expect(result.split('\n')[1]).toBe('482913');
  });
});

it("Node.js's client works behind a proxy that terminates TLS", async () => {
  const { token, server, smtpHost, origin } = await lend();
  const to = `fox@${server}.${smtpHost}`;
  await send(to, 'Welcome');
  const program = `
    import mailosaur from 'mailosaur';
    const [token, server, sentTo] = process.argv.slice(2);
    const client = new (mailosaur.default ?? mailosaur)(token, 'https://localhost/');
    const email = await client.messages.get(server, { sentTo });
    const file = await client.files.getAttachment(email.attachments[0].id);
    const wrong = await client.messages.search(server, {}).catch(({ message }) => message);
    const late = await client.messages.search(server, { subject: 'nothing' }, { timeout: 1 }).catch(({ errorType }) => errorType);
    await client.messages.del(email.id);
    const { items } = await client.messages.list(server);
    console.log(JSON.stringify({
      subject: email.subject, code: email.html.codes[0].value, url: email.attachments[0].url,
      bytes: file.length, wrong, late, left: items.length,
    }));
  `;
  const env = await startTlsFront(Number(new URL(origin).port));
  const result = JSON.parse(await runJavaScriptClient(program, [token, server, to], env)) as unknown;
  expect(result).toEqual({
    subject: 'Welcome',
    code: '123456',
    url: expect.stringMatching(/^http:\/\/localhost\/api\/files\/attachments\//),
    bytes: cat.length,
    wrong: expect.stringMatching(/^\(criteria\) /),
    late: 'search_timeout',
    left: 0,
  });
});
