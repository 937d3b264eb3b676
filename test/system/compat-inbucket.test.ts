// Unmodified clients of Inbucket against the built service, with mail over SMTP.

import { afterAll, beforeAll, expect, it } from 'vitest';

import { createTransport } from 'nodemailer';

import { comeAgain } from '../support/faults/come-again.ts';
import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runJavaScriptClient } from '../support/clients/published-clients.ts';

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

/** Creates a capture session with two messages for one name and one for another. */
async function lendWithMail() {
  const { email, token } = await mayfly.lend({ capture: '1' });
  const domain = email.slice('*@'.length);
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  for (const [name, subject] of [
    ['fox', 'One'],
    ['fox+shop', 'Two'],
    ['owl', 'Three'],
  ] as const) {
    await comeAgain(() =>
      transport.sendMail({
        from: 'Ann <ann@shop.example>',
        to: `${name}@${domain}`,
        subject,
        text: `This is ${subject}.`,
        html: `<p onclick="x()">${subject}</p>`,
        attachments: [{ filename: 'a b.txt', content: 'attached' }],
      }),
    );
  }
  return { token, domain, origin: mayfly.compatOrigin ?? '' };
}

it("Node.js's client lists, reads, deletes and empties", async () => {
  const { token, domain, origin } = await lendWithMail();
  const program = `
    import { InbucketAPIClient } from 'inbucket-js-client';
    const [origin, token, domain] = process.argv.slice(2);
    const headers = { authorization: 'Bearer ' + token };
    const client = new InbucketAPIClient(origin, { headers });
    const list = async (name) => (await client.mailbox(name)).map(({ subject }) => subject);
    const report = { fox: await list('fox'), full: await list('owl@' + domain) };
    const [{ id }] = await client.mailbox('fox');
    const { mailbox, from, to, body, header, attachments: [file] } = await client.message('fox', id);
    report.message = { mailbox, from, to, text: body.text.trim(), html: body.html.trim(), subject: header.Subject };
    report.file = [file.filename, file.md5, await (await fetch(file['download-link'], { headers })).text()];
    report.missing = await client.message('owl', id).catch(({ message }) => message);
    report.deleted = await client.deleteMessage('fox', id);
    report.latest = (await client.message('fox', 'latest')).subject;
    report.purged = await client.purgeMailbox('fox');
    report.left = [await list('fox'), await list('owl')];
    console.log(JSON.stringify(report));
  `;
  const result = JSON.parse(await runJavaScriptClient(program, [origin, token, domain])) as unknown;
  expect(result).toEqual({
    fox: ['One', 'Two'],
    full: ['Three'],
    message: {
      mailbox: 'fox',
      from: 'Ann <ann@shop.example>',
      to: [`<fox@${domain}>`],
      text: 'This is One.',
      html: '<p onclick="x()">One</p>',
      subject: ['One'],
    },
    file: ['a b.txt', '871e3311400fec611e1c2ae01acd3717', 'attached'],
    missing: '[inbucket-js-client] request error: 404 404 page not found\n',
    deleted: 'OK',
    latest: 'Two',
    purged: 'OK',
    left: [[], ['Three']],
  });
});

it('runs the code of the documentation', async () => {
  const { token, origin } = await lendWithMail();
  const replaced = { TOKEN: token, 'http://127.0.0.1:8025': origin };
  const lines = printedLines('compat/inbucket.md', { language: 'js' }, replaced);
  expect(await runJavaScriptClient(lines)).toMatch(/^\d+ One\n\d+ Two\nThis is Two\.\n/);
});
