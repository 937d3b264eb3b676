// No client follows a redirect, which would hand its token or API key to another origin; its error says where to.

import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import { readSummary } from '../../clients/action/src/summary.mjs';
import { Mayfly } from '../../clients/typescript/src/index.ts';
import { python, pythonPath } from '../support/clients/client-folders.ts';
import { openInboxLine } from '../support/clients/inbox-line.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { type ScenarioService, startScenarioService } from '../support/clients/scenario-service.ts';

const apiKey = 'mk_of-the-test';
let service: ScenarioService;
beforeAll(async () => {
  service = await startScenarioService();
  return service.close;
});

interface Redirecting {
  /** Everything below it redirects to the other origin. */
  readonly url: string;
  /** Header fields sent to the other origin. */
  readonly received: IncomingHttpHeaders[];
  readonly other: string;
}

/** `creates`: create-session is passed on to the real service, so that only later requests are redirected. */
async function startRedirecting(status: number, creates = false): Promise<Redirecting> {
  const received: IncomingHttpHeaders[] = [];
  const target = createServer(({ headers }, response) => {
    received.push(headers);
    response.end('{}');
  });
  const front = createServer((request, response) => {
    if (creates && request.url === '/create-session') {
      request.resume();
      void fetch(`${service.url}/create-session`, { method: 'POST' })
        .then((answer) => answer.text())
        .then((text) => response.end(text));
      return;
    }
    request.resume();
    response.writeHead(status, { location: `${other}${request.url ?? ''}` }).end();
  });
  const origins: string[] = [];
  for (const server of [target, front]) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origins.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    onTestFinished(() => void server.close());
  }
  const [other = '', url = ''] = origins;
  return { url, received, other };
}

const statuses = [301, 302, 303, 307, 308];

describe.each(statuses)('after %i', (status) => {
  it('the TypeScript client stops', async () => {
    const { url, received, other } = await startRedirecting(status);
    const failure = {
      name: 'MayflyError',
      code: 'redirected',
      status,
      message: expect.stringContaining(other),
    };
    await expect(new Mayfly({ url, apiKey }).createInbox()).rejects.toMatchObject(failure);
    await expect(new Mayfly({ url }).reopen('mf_secret')).rejects.toMatchObject(failure);
    const later = await startRedirecting(status, true);
    const inbox = await new Mayfly({ url: later.url, apiKey }).createInbox();
    await expect(inbox.waitForMessage({}, { timeout: 1000 })).rejects.toMatchObject({ code: 'redirected' });
    await expect(inbox.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'redirected' });
    expect([received, later.received]).toEqual([[], []]);
  });
});

it('the Python clients stop', async () => {
  const program = `
import asyncio, sys
from mayfly_client import AsyncMayfly, Mayfly, MayflyError
url, later = sys.argv[1:]

def fails(work):
    try:
        work()
    except MayflyError as error:
        print(error.code, error.status, error)

fails(lambda: Mayfly(url, "${apiKey}").create_inbox())
inbox = Mayfly(later, "${apiKey}").create_inbox()
fails(lambda: inbox.wait_for_message(timeout=1))
fails(lambda: next(iter(inbox.events())))

async def work():
    async with AsyncMayfly(later, "${apiKey}") as mayfly:
        inbox = await mayfly.create_inbox()
        async for event in inbox.events():
            pass
try:
    asyncio.run(work())
except MayflyError as error:
    print(error.code, error.status, error)
`;
  const first = await startRedirecting(308);
  const later = await startRedirecting(307, true);
  const env = { ...process.env, ...pythonPath };
  const { stdout, stderr } = await runProgram(python, ['-c', program, first.url, later.url], { env });
  expect(stdout.trim().split('\n'), stderr).toEqual([
    `redirected 308 The service redirects to ${first.other}, which is not followed: give the address of the service itself.`,
    ...Array.from({ length: 3 }, () =>
      expect.stringContaining(`redirected 307 The service redirects to ${later.other}`),
    ),
  ]);
  expect([first.received, later.received]).toEqual([[], []]);
}, 300_000);

it('the Go client stops', async () => {
  for (const creates of [false, true]) {
    const { url, received, other } = await startRedirecting(307, creates);
    const env = { ...process.env, MAYFLY_URL: url, MAYFLY_API_KEY: apiKey };
    const { stderr, status } = await runProgram('go', ['run', './internal/waiter'], {
      cwd: 'clients/go',
      env,
    });
    expect([status, stderr]).toEqual([
      1,
      expect.stringContaining(`${url} redirects to ${other}, which is not followed`),
    ]);
    expect(received).toEqual([]);
  }
}, 240_000);

it('the command line and the action stop', async () => {
  const { url, received, other } = await startRedirecting(302);
  const line = await openInboxLine(url);
  const { stderr } = await line.run(['new'], { MAYFLY_API_KEY: apiKey });
  expect(stderr).toContain(`redirects to ${other}`);
  await expect(readSummary({ url, root: url, operator: '' })).rejects.toThrow('/ answered 302.');
  expect(received).toEqual([]);
});
