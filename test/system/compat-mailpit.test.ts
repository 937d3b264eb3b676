// Unmodified clients of Mailpit against the built service, with mail over SMTP.

import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { comeAgain } from '../support/faults/come-again.ts';
import {
  createDataFolder,
  type Lent,
  type MayflyProcess,
  startMayfly,
} from '../support/service/mayfly-process.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runJavaScriptClient, runPythonClient } from '../support/clients/published-clients.ts';

let mayfly: MayflyProcess;
let origin: string;
const cleanups: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const data = await createDataFolder();
  cleanups.push(data.remove);
  mayfly = await startMayfly(data.path, { MAYFLY_COMPAT_PORT: '0', MAYFLY_LIMITS_RATE: 'off' });
  cleanups.push(() => mayfly.stop());
  origin = mayfly.compatOrigin ?? '';
});

afterAll(async () => {
  for (const clean of cleanups.reverse()) await clean();
});

async function deliver(to: string, subject: string): Promise<void> {
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  await comeAgain(() =>
    transport.sendMail({
      from: 'Shop <shop@example.org>',
      to,
      subject,
      text: 'Your code is 482913.',
      html: '<p>Your code is <b>482913</b>.</p>',
      headers: { 'Delivered-To': to },
      attachments: [{ filename: 'bill.txt', content: 'a bill' }],
    }),
  );
  transport.close();
}

function withoutScheme(): string {
  return origin.replace('http://', '');
}

describe('mailpit-api for JavaScript', () => {
  const program = `
    import { MailpitClient } from 'mailpit-api';
    const [origin, password] = process.argv.slice(2);
    const mailpit = new MailpitClient(origin, { auth: { username: 'any', password } });
    const seen = {};
    const waiting = mailpit.waitForMessage({ query: 'subject:Welcome' }, { timeout: 30000 });
    console.error('waiting');
    const message = await waiting;
    seen.code = /\\d{6}/.exec(message.Text)[0];
    seen.html = message.HTML;
    seen.headers = await mailpit.getMessageHeaders();
    seen.raw = (await mailpit.getMessageSource(message.ID)).includes('Subject: Welcome');
    const [file] = message.Attachments;
    const blob = await mailpit.getMessageAttachment(message.ID, file.PartID);
    seen.file = [file.FileName, blob.type, await blob.text()];
    seen.view = await mailpit.renderMessageHTML();
    seen.text = await mailpit.renderMessageText();
    seen.links = (await mailpit.linkCheck()).Links;
    seen.tags = await mailpit.getTags();
    seen.info = await mailpit.getInfo();
    seen.relays = (await mailpit.getConfiguration()).MessageRelay.Enabled;
    seen.sent = await mailpit.sendMessage({
      From: { Email: 'me@example.org' }, To: [{ Email: 'you@example.org' }], Subject: 'Sent', Text: 'Hello',
    });
    seen.waited = (await mailpit.waitForMessages({ query: 'is:unread', count: 1 })).messages_count;
    seen.marked = await mailpit.setReadStatus({ Read: true });
    seen.unread = (await mailpit.listMessages()).unread;
    seen.found = (await mailpit.searchMessages({ query: 'from:me@example.org', limit: 5 })).messages.length;
    seen.refused = await mailpit.releaseMessage('latest', { To: ['x@example.org'] }).catch((e) => e.message);
    await mailpit.deleteMessagesBySearch({ query: 'subject:Sent' });
    seen.left = (await mailpit.listMessages()).messages.map((one) => one.Subject);
    await mailpit.deleteMessages();
    seen.after = (await mailpit.listMessages()).total;
    const wrong = new MailpitClient(origin, { auth: { username: 'any', password: 'mf_wrong' } });
    seen.wrong = await wrong.listMessages().catch((e) => e.message);
    console.log(JSON.stringify(seen));
  `;

  it('supports all its functions', async () => {
    const { email, token } = await mayfly.lend();
    const running = runJavaScriptClient(program, [origin, token]);
    await deliver(email, 'Welcome');
    const seen = JSON.parse(await running) as Record<string, unknown>;
    expect(seen).toMatchObject({
      code: '482913',
      html: '<p>Your code is <b>482913</b>.</p>',
      headers: { Subject: ['Welcome'], 'Delivered-To': [email], 'Mime-Version': ['1.0'] },
      raw: true,
      file: ['bill.txt', 'text/plain', 'a bill'],
      view: '<p>Your code is <b>482913</b>.</p>',
      links: [],
      tags: [],
      relays: false,
      waited: 1,
      marked: 'ok',
      unread: 0,
      found: 1,
      info: { Messages: 1, Unread: 0 },
      sent: { ID: expect.stringMatching(/^[0-9A-Za-z]{22}$/) },
      left: ['Welcome'],
      after: 0,
    });
    expect(seen['text']).toContain('482913');
    expect(seen['refused']).toContain('400');
    expect(seen['wrong']).toContain('401');
  });

  it('runs the code of the documentation', async () => {
    const { email, token } = await mayfly.lend();
    const lines = printedLines(
      'compat/mailpit.md',
      { language: 'js' },
      { 'http://localhost:8025': origin, 'process.env.MAYFLY_TOKEN': JSON.stringify(token) },
    );
    await deliver(email, 'Welcome');
    expect(await runJavaScriptClient(lines)).toMatch(/^shop@example.org Your code is 482913\./);
  });
});

describe('mailpit-api-client for Python', () => {
  const program = `
import json, sys
from mailpit.client.api import API
api = API(sys.argv[1])
listed = api.get_messages()
[summary] = listed.messages
message = api.get_message(summary.id)
headers = api.get_message_headers(summary.id)
[file] = message.attachments
content = api.get_message_attachment(summary.id, file.part_id)
read = api.get_messages().unread
api.put_messages([summary.id], 'Read', False)
unread = api.get_messages().unread
api.delete_messages(['999'])
kept = api.get_messages().total
api.delete_messages([summary.id])
print(json.dumps({
  'summary': [summary.subject, summary.from_.address, summary.attachments, summary.created.year > 2020],
  'message': [message.subject, message.html, message.date.year > 2020, message.read],
  'headers': [headers.message_id, headers.delivered_to],
  'content': content, 'read': read, 'unread': unread, 'kept': kept, 'left': api.get_messages().total,
}))
`;

  it('supports all its functions', async () => {
    const { email, token }: Lent = await mayfly.lend();
    await deliver(email, 'Welcome');
    const seen = JSON.parse(
      await runPythonClient(program, [`http://x:${token}@${withoutScheme()}`]),
    ) as object;
    expect(seen).toMatchObject({
      summary: ['Welcome', 'shop@example.org', 1, true],
      message: ['Welcome', '<p>Your code is <b>482913</b>.</p>', true, true],
      headers: [[expect.stringMatching(/^<.*>$/)], [email]],
      content: 'a bill',
      read: 0,
      unread: 1,
      kept: 1,
      left: 0,
    });
  });

  it('runs the code of the documentation', async () => {
    const { email, token } = await mayfly.lend();
    await deliver(email, 'Welcome');
    const lines = printedLines(
      'compat/mailpit.md',
      { language: 'python' },
      { 'localhost:8025': withoutScheme(), "{os.environ['MAYFLY_TOKEN']}": token },
    );
    expect(await runPythonClient(lines)).toBe('Welcome shop@example.org\n');
  });
});
