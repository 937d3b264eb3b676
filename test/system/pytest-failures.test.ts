// The reports of pytest for tests that fail because of mail: they show the test's own lines and the reason, not the
// client's lines.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect, it } from 'vitest';

import { createFolder, pytest, python, pythonPath } from '../support/clients/client-folders.ts';
import { rootOf, startDev } from '../support/service/dev-process.ts';
import { runProgram } from '../support/servers/run-program.ts';

async function runTests(code: string, url: string): Promise<string> {
  const folder = await createFolder();
  await writeFile(path.join(folder, 'test_mail.py'), code);
  const words = [...pytest, '-p', 'no:cacheprovider', 'test_mail.py'];
  const env = { ...process.env, ...pythonPath, MAYFLY_URL: url };
  const { stdout, stderr } = await runProgram(python, words, { cwd: folder, env });
  return stdout + stderr;
}

/** Lines of this package would be shown with the path of their file, or as code. */
const lineOfClient = /mayfly_client\/\w+\.py|_network\.run|yield from|httpx/;

it('shows only the lines of the test when a wait ends with nothing or the service refuses', async () => {
  const code = `
import asyncio
from mayfly_client import AsyncMayfly

def test_wait(inbox):
    inbox.wait_for_code(timeout=0)

def test_message(inbox):
    inbox.read(99)

def test_service(mayfly):
    mayfly.create_inbox(domain="nowhere.example")

def test_events(capture):
    capture.end()
    for event in capture.events():
        pass

def test_asyncio(mayfly_server):
    async def wait():
        async with AsyncMayfly(mayfly_server) as service, await service.create_inbox() as inbox:
            await inbox.wait_for_link(timeout=0)
    asyncio.run(wait())
`;
  const report = await runTests(code, (await startDev()).origin);
  for (const line of [
    '>       inbox.wait_for_code(timeout=0)',
    '>       inbox.read(99)',
    '>       mayfly.create_inbox(domain="nowhere.example")',
    '>       for event in capture.events():',
    '>           await inbox.wait_for_link(timeout=0)',
  ]) {
    expect(report).toContain(line);
  }
  expect(report).toMatch(/^E +mayfly_client\.errors\.MailTimeout: No message with a code came to /m);
  expect(report).not.toMatch(lineOfClient);
  expect(report).toMatch(/^5 failed in /m);
});

it('reports the mail of a failed test, or why it is not known, and goes on', async () => {
  const code = `
def test_ended(inbox):
    inbox.end()
    assert inbox is None

def test_next(inbox):
    assert inbox is None
`;
  const report = await runTests(code, (await startDev()).origin);
  expect(report).toMatch(/^-+ Mail of .*-+\nnot known: The session has ended/m);
  expect(report).toMatch(/^-+ Mail of .*-+\nno messages\ndelivery log:\nnothing was sent here/m);
  expect(report).toMatch(/^2 failed in /m);
});

it('shows only the reason when a fixture cannot reach the service', { timeout: 300_000 }, async () => {
  const mayfly = await startDev();
  await mayfly.stop('SIGTERM');
  const report = await runTests('def test_inbox(inbox):\n    pass\n', mayfly.origin);
  expect(report).toMatch(
    new RegExp(
      `^E +mayfly_client\\.errors\\.MayflyUnreachable: No answer from ${rootOf(mayfly)}/mayfly: `,
      'm',
    ),
  );
  expect(report).not.toMatch(lineOfClient);
  expect(report).toMatch(/^1 error in /m);
});
