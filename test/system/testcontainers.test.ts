// The service of a test run, as a process and in a container, from the published package. Docker is a stand-in here,
// which records its requests; testcontainers is real.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, symlink, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';

import type { RunningMayfly } from '../../clients/testcontainers/src/running-mayfly.ts';
import { codeOf } from '../../packages/system-errors/src/error-code.ts';
import { startDev } from '../support/service/dev-process.ts';
import { startFakeDocker } from '../support/servers/fake-docker.ts';
import { type ClientFolder, installClients } from '../support/clients/installed-clients.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { greet } from '../support/smtp/smtp-client.ts';

interface ProcessModule {
  startMayfly(options?: object): Promise<RunningMayfly & { readonly pid: number | undefined }>;
}

let folder: ClientFolder;
let module: ProcessModule;

beforeAll(async () => {
  folder = await installClients(['typescript', 'testcontainers'], ['testcontainers', 'nodemailer']);
  await symlink(path.resolve('.'), path.join(folder.path, 'node_modules/mayfly'));
  const file = path.join(folder.path, 'node_modules/@mayfly/testcontainers/dist/mayfly-process.js');
  module = (await import(file)) as ProcessModule;
  return folder.remove;
});

/** Sends a message and reads its code. */
async function expectToWork(running: RunningMayfly): Promise<void> {
  const inbox = await running.client().createInbox();
  const smtp = await greet(running.smtpPort);
  expect(await smtp.deliver('Subject: x\r\n\r\nYour code is 482913.\r\n', inbox.email)).toMatch(/^250/);
  expect(await inbox.waitForCode()).toBe('482913');
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return false;
    throw error;
  }
}

/** Runs a user's script from the project's folder, in which the package `mayfly` is installed. */
function runScript(lines: string): ChildProcess & { readonly firstLine: Promise<string> } {
  const script = `import { startMayfly } from '@mayfly/testcontainers/process';\n${lines}`;
  const { MAYFLY_BIN: _bin, ...env } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: folder.path,
    env: { ...env, TMPDIR: folder.path },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const firstLine = once(createInterface({ input: child.stdout }), 'line').then(([line]) => String(line));
  return Object.assign(child, { firstLine });
}

describe('as a process', () => {
  it('accepts mail, and is gone when it was stopped, however often', async () => {
    const running = await module.startMayfly({ program: path.resolve('bin/mayfly.mjs') });
    onTestFinished(() => running.stop());
    const { pid = 0 } = running;
    expect(isAlive(pid)).toBe(true);
    await expectToWork(running);
    await Promise.all([running.stop(), running.stop()]);
    await running.stop();
    expect(running.pid).toBeUndefined();
    expect(isAlive(pid)).toBe(false);
  });

  it('runs as printed in the README and the documentation', async () => {
    const printed = printedLines('clients/testcontainers.md', { language: 'ts' });
    expect(printedLines('../clients/testcontainers/README.md', { language: 'ts' })).toBe(printed);
    const signUp = `import nodemailer from 'nodemailer';
      async function signUp(to, port) {
        const transport = nodemailer.createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
        await transport.sendMail({ from: 'shop@shop.example', to, subject: 'x', text: 'Your code is 482913.' });
        transport.close();
      }\n`;
    await writeFile(path.join(folder.path, 'example.mjs'), signUp + printed);
    const env = { PATH: process.env['PATH'], HOME: folder.path, TMPDIR: folder.path };
    const output = await runProgram(process.execPath, ['example.mjs'], { cwd: folder.path, env });
    expect(output).toMatchObject({ status: 0, stdout: '482913\n' });
  });

  it('starts the project’s mayfly, and ends with a run that forgets it', async () => {
    const run = runScript('const { pid, url } = await startMayfly(); console.log(pid, url);');
    const [code] = (await Promise.all([once(run, 'exit'), run.firstLine]))[0] as [number];
    const [pid, url] = (await run.firstLine).split(' ');
    expect(code).toBe(0);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mayfly$/);
    await expect.poll(() => isAlive(Number(pid))).toBe(false);
  });

  it('ends with a run that is killed, and leaves no mail behind', async () => {
    const run = runScript(
      'const { pid } = await startMayfly(); console.log(pid); setInterval(() => {}, 1000);',
    );
    const pid = Number(await run.firstLine);
    expect(isAlive(pid)).toBe(true);
    run.kill('SIGKILL');
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await readdir(folder.path)).filter((name) => name.startsWith('mayfly-dev-'))).toEqual([]);
  });

  it('says why it does not start, and leaves nothing running', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const program = path.resolve('bin/mayfly.mjs');
    await expect(module.startMayfly({ program, smtpPort: port })).rejects.toThrow(
      /^mayfly dev ended with 1 before it was ready: .*EADDRINUSE/,
    );
    await expect(module.startMayfly({ program, timeout: 1 })).rejects.toThrow(
      /^mayfly dev was not ready after 0\.001 s/,
    );
    const empty = path.join(folder.path, 'node_modules');
    const options = { environment: { MAYFLY_BIN: path.join(empty, 'nothing.mjs') } };
    await expect(module.startMayfly(options)).rejects.toThrow(/install the npm package mayfly/);
  });
});

it('in a container: `mayfly dev` of the image, its ports, and its readiness check', async () => {
  const dev = await startDev();
  const docker = await startFakeDocker({ 1025: dev.smtpPort, 8025: Number(new URL(dev.origin).port) });
  onTestFinished(docker.close);
  // A separate process: testcontainers keeps the first Docker it finds.
  const script = `
    import { GenericContainer } from 'testcontainers';
    import { MayflyContainer } from '@mayfly/testcontainers';
    const started = await new MayflyContainer().start();
    const inbox = await started.client().createInbox();
    console.log(JSON.stringify({ url: started.url, smtp: [started.smtpHost, started.smtpPort], email: inbox.email }));
    await started.stop();
    await started.stop();
    const other = await new MayflyContainer(new GenericContainer('registry.test/mayfly:1')).start();
    await other.stop();
  `;
  const file = path.join(folder.path, 'container.mjs');
  await writeFile(file, script);
  const env = {
    PATH: process.env['PATH'],
    HOME: folder.path,
    DOCKER_HOST: docker.host,
    TESTCONTAINERS_RYUK_DISABLED: 'true',
  };
  const output = await runProgram(process.execPath, [file], { cwd: folder.path, env });
  expect(output.stderr).toBe('');
  expect(JSON.parse(output.stdout)).toEqual({
    url: dev.origin,
    smtp: ['127.0.0.1', dev.smtpPort],
    email: expect.stringMatching(/@mayfly\.test$/),
  });
  const [asked, other] = docker.asked;
  expect(asked).toMatchObject({
    Image: 'mayfly:latest',
    Cmd: ['dev'],
    Env: expect.arrayContaining(['MAYFLY_HTTP_HOST=0.0.0.0', 'MAYFLY_SMTP_HOST=0.0.0.0']),
    ExposedPorts: { '1025/tcp': {}, '8025/tcp': {} },
  });
  expect(other?.Image).toBe('registry.test/mayfly:1');
  expect(docker.calls.filter((call) => call.endsWith('/stop'))).toHaveLength(2);
});
