// Inbucket's own client for Go, unmodified, against the built service. It is here because its module must be
// downloaded.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createTransport } from 'nodemailer';
import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, startMayfly } from '../support/service/mayfly-process.ts';
import { runWell } from '../support/servers/run-program.ts';

it('lists, reads, marks, deletes and empties', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-inbucket-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const program = path.join(folder, 'program');
  await runWell('go', ['build', '-o', program, '.'], { cwd: path.resolve('test/fixtures/clients/inbucket') });

  const data = await createDataFolder();
  onTestFinished(() => data.remove());
  const mayfly = await startMayfly(data.path, { MAYFLY_COMPAT_PORT: '0' });
  onTestFinished(async () => {
    await mayfly.stop();
  });
  const { email, token } = await mayfly.lend({ capture: '1' });
  const to = email.replace('*', 'fox');
  const transport = createTransport({ host: '127.0.0.1', port: mayfly.smtpPort, ignoreTLS: true });
  for (const subject of ['One', 'Two']) {
    const attachments = [{ filename: 'a b.txt', content: 'attached' }];
    await transport.sendMail({
      from: 'ann@shop.example',
      to,
      subject,
      text: `This is ${subject}.`,
      attachments,
    });
  }

  const url = new URL(mayfly.compatOrigin ?? '');
  url.username = 'x';
  url.password = token;
  // The client escapes the name itself.
  const result = JSON.parse(await runWell(program, [url.href, to])) as unknown;
  expect(result).toEqual({
    subjects: ['One', 'Two'],
    text: 'This is One.',
    header: ['One'],
    file: 'a b.txt',
    isDated: true,
    source: true,
    seen: [false, true],
    missing: expect.stringContaining('404'),
    latest: 'Two',
    left: 0,
  });
});
