// Unmodified clients of MailHog against the built service, with mail over SMTP and real waiting.

import { createHash } from 'node:crypto';

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import {
  createDataFolder,
  type Lent,
  type MayflyProcess,
  startMayfly,
} from '../support/service/mayfly-process.ts';
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

const pdf = Buffer.from('%PDF-1.7 \u0000\u00ff'.repeat(3000), 'latin1');

async function send(to: string, subject: string, isRich = false): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  await comeAgain(() =>
    transport.sendMail({
      from: 'Ann <ann@shop.example>',
      to: `The Fox <${to}>`,
      subject,
      text: `Grüße! ${subject}`,
      ...(isRich ? { html: '<p>Grüße</p>', attachments: [{ filename: 'invoice.pdf', content: pdf }] } : {}),
    }),
  );
}

const address = (): string => new URL(mayfly.compatOrigin ?? '').host;

function last(output: string): unknown {
  return JSON.parse(output.trim().split('\n').at(-1) ?? '');
}

function given({ email, token }: Lent): string[] {
  return [new URL(mayfly.compatOrigin ?? '').port, token, email, String(mayfly.smtpPort)];
}

it('mailhog (npm): lists, searches, decodes and deletes', async () => {
  const lent = await mayfly.lend({ prefix: 'hog-npm' });
  await send(lent.email, 'Grüße');
  await send(lent.email, 'Zwei', true);
  const program = `
import { createHash } from 'node:crypto';
import { createTransport } from 'nodemailer';
import mailhog from 'mailhog';
const [port, token, email, smtpPort] = process.argv.slice(2);
const client = mailhog({ host: '127.0.0.1', port, auth: 'x:' + token });
const all = await client.messages();
const paged = await client.messages(1, 1);
const [rich, plain] = all.items;
const [file] = rich.attachments;
const bytes = Buffer.from(file.Body, file.encoding);
const from = await client.latestFrom('ann@shop.example');
const to = await client.latestTo(email);
const containing = await client.latestContaining('Zwei');
const none = await client.search('nobody@else.example', 'to');
const release = await client.releaseMessage(rich.ID, { host: 'h', port: '25', email: 'a@b.example' }).then(() => 'sent', () => 'refused');
const one = await client.deleteMessage(plain.ID);
const left = (await client.messages()).total;
// Waits as suites do: polling every half second.
setTimeout(() => createTransport({ host: '127.0.0.1', port: Number(smtpPort), ignoreTLS: true })
  .sendMail({ from: 'bob@shop.example', to: email, subject: 'Late', text: 'here', html: '<p>Gr\u00fc\u00dfe</p>' }), 700);
let late;
while (!late) {
  late = await client.latestFrom('bob@shop.example');
  if (!late) await new Promise((resolve) => setTimeout(resolve, 500));
}
const cleared = await client.deleteAll();
console.log(JSON.stringify({
  cleared: cleared.statusCode, none_left: (await client.messages()).total, total: all.total, count: all.count, ids: paged.items.map((item) => item.ID), subject: plain.subject, text: plain.text,
  from: rich.from, to: rich.to, html: late.html, name: file.name, type: file.type, size: bytes.length,
  hash: createHash('sha256').update(bytes).digest('hex'), date: rich.date instanceof Date, delivered: rich.deliveryDate > 0,
  latest: [from.ID, to.ID, containing.ID], none: none.total, release, deleted: one.statusCode, left, late: late.text,
}));
`;
  expect(last(await runJavaScriptClient(program, given(lent)))).toEqual({
    total: 2,
    count: 2,
    ids: ['1'],
    subject: 'Grüße',
    text: 'Grüße! Grüße\r\n',
    from: 'Ann <ann@shop.example>',
    to: `The Fox <${lent.email}>`,
    html: '<p>Grüße</p>',
    name: 'invoice.pdf',
    type: 'application/pdf; name=invoice.pdf',
    size: pdf.length,
    hash: createHash('sha256').update(pdf).digest('hex'),
    date: true,
    delivered: true,
    latest: ['2', '2', '2'],
    none: 0,
    release: 'refused',
    deleted: 200,
    left: 1,
    late: 'here',
    cleared: 200,
    none_left: 0,
  });
}, 300_000);

it('mailhog (Python): lists, searches and deletes', async () => {
  const lent = await mayfly.lend({ prefix: 'hog-py' });
  await send(lent.email, 'One');
  await send(lent.email, 'Two', true);
  const program = `
import json, sys
from mailhog import Mailhog
port, token, email, _ = sys.argv[1:]
client = Mailhog(host=f"x:{token}@127.0.0.1", port=int(port))
all = client.messages(0, 10)
found = client.search(email, "to")
words = client.search("Two")
client.delete(all.items[0])
print(json.dumps({"total": all.total, "count": all.count, "start": all.start, "subjects": [m.get_subject() for m in all.items],
    "sender": all.items[0].get_sender(), "to": all.items[0].get_recipients(), "found": found.total,
    "words": [m.id for m in words.items], "parts": len(all.items[0].mime.parts), "left": client.messages().total}))
client.delete_all()
print(client.messages().total)
try:
    Mailhog(port=int(port)).messages()
except Exception as error:
    print(json.dumps(error.response.status_code))
`;
  const [result, cleared, refused] = (await runPythonClient(program, given(lent))).trim().split('\n');
  expect(JSON.parse(result ?? '')).toEqual({
    total: 2,
    count: 2,
    start: 0,
    subjects: ['Two', 'One'],
    sender: 'ann@shop.example',
    to: [lent.email],
    found: 2,
    words: ['2'],
    parts: 3,
    left: 1,
  });
  expect([cleared, refused]).toEqual(['0', '401']);
}, 300_000);

it('cypress-mailhog (npm): its commands, over the requests that Cypress would make', async () => {
  const lent = await mayfly.lend({ prefix: 'hog-cypress' });
  await send(lent.email, 'First');
  await send(lent.email, 'Second', true);
  const program = `
const [port, token, email] = process.argv.slice(2);
const settings = { mailHogUrl: 'http://127.0.0.1:' + port + '/', mailHogUsername: 'x', mailHogPassword: token };
const commands = {};
globalThis.Cypress = {
  env: (name) => settings[name],
  config: () => undefined,
  Commands: { add: (name, ...rest) => { commands[name] = rest.at(-1); } },
};
globalThis.cy = {
  async request({ method, url, auth, failOnStatusCode = true }) {
    const authorization = 'Basic ' + Buffer.from(auth.user + ':' + auth.pass).toString('base64');
    const response = await fetch(url, { method, headers: { authorization } });
    if (failOnStatusCode && !response.ok) throw new Error(String(response.status));
    return { status: response.status, body: await response.text() };
  },
  wrap: (value) => Object.assign(Promise.resolve(value), { its: (name) => Promise.resolve(value[name]) }),
  verifyUpcomingAssertions: (value) => value,
};
await import('cypress-mailhog');
const all = await commands.mhGetAllMails();
const [first] = await commands.mhGetMailsBySubject('First');
const result = {
  count: all.length,
  subject: await commands.mhGetSubject(first),
  sender: await commands.mhGetSender(first),
  recipients: await commands.mhGetRecipients(first),
  by: [(await commands.mhGetMailsBySender('ann@shop.example')).length, (await commands.mhGetMailsByRecipient(email)).length],
  searched: (await commands.mhSearchMails('containing', 'Second')).map((mail) => mail.ID),
  attachments: await commands.mhGetAttachments(all[0]),
  isJim: await commands.mhGetJimMode(),
};
await commands.mhSetJimMode(true);
console.log(JSON.stringify(result));
`;
  expect(last(await runJavaScriptClient(program, given(lent)))).toEqual({
    count: 2,
    subject: 'First',
    sender: 'ann@shop.example',
    recipients: [lent.email],
    by: [2, 2],
    searched: ['2'],
    attachments: ['invoice.pdf'],
    isJim: false,
  });
}, 300_000);

it('runs the code of the documentation', async () => {
  const { email, token } = await mayfly.lend({ prefix: 'hog-docs' });
  await send(email, 'Printed');
  const page = 'compat/mailhog.md';
  const port = address().split(':')[1] ?? '';
  const replaced = { TOKEN: token, 'quiet-fox@mayfly.test': email, '8025': port };
  expect(await runJavaScriptClient(printedLines(page, { language: 'js' }, replaced))).toBe(
    'Printed Grüße! Printed\r\n\n',
  );
  expect(await runPythonClient(printedLines(page, { language: 'python' }, replaced))).toContain('Printed');
}, 300_000);
