// The built service takes over listening sockets opened by systemd: from systemd's own tool, and from a parent that
// behaves the same. The unit files are checked by systemd.

import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, inject, it, onTestFinished } from 'vitest';

import { codeOf } from '../../packages/system-errors/src/error-code.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { freePort } from '../support/servers/free-port.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { connectGreeted, connectTo } from '../support/smtp/smtp-client.ts';

const main = (): string => path.join(inject('buildDir'), 'main.js');

/** Ends with the test. */
function start(program: string, args: readonly string[], options: Parameters<typeof spawn>[2]): void {
  const child = spawn(program, [...args], options);
  const ended = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
}

it('systemd-socket-activate passes both sockets, and the first connection is served', async () => {
  const [smtpPort, httpPort] = [await freePort(), await freePort()];
  const environment = {
    MAYFLY_DATA_DIR: await useDataFolder(),
    MAYFLY_DNS_SERVERS: 'none',
    // Listening here itself would fail.
    MAYFLY_SMTP_PORT: String(smtpPort),
    MAYFLY_HTTP_PORT: String(httpPort),
  };
  const args = [
    ...['-l', `127.0.0.1:${smtpPort}`, '-l', `127.0.0.1:${httpPort}`, '--fdname=smtp:http'],
    ...Object.entries(environment).map(([name, value]) => `--setenv=${name}=${value}`),
    ...[process.execPath, main(), 'serve'],
  ];
  start('systemd-socket-activate', args, { stdio: 'ignore' });
  await expect
    .poll(
      () =>
        connectTo(smtpPort).then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
  const { client, greeting } = await connectGreeted(smtpPort);
  expect(greeting).toMatch(/^220 /);
  const lent = await fetch(`http://127.0.0.1:${httpPort}/create-session`, { method: 'POST' });
  const { email } = (await lent.json()) as { email: string };
  await client.command('EHLO client.test');
  expect(await client.deliver('Subject: over an inherited socket\r\n\r\n', email)).toMatch(/^250 2\.0\.0/);
});

/** Holds a listening socket and passes it to successive processes of the service, as systemd does. */
const keeper = `
import os, socket, sys
held = socket.socket()
held.bind(("127.0.0.1", 0))
held.listen(128)
print("port", held.getsockname()[1], flush=True)
for life in range(2):
    pid = os.fork()
    if pid == 0:
        os.dup2(held.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1", LISTEN_FDNAMES="smtp")
        os.execv(sys.argv[1], sys.argv[1:])
    print("pid", pid, flush=True)
    os.waitpid(pid, 0)
`;

it('a connection made during a restart waits, and the next process serves it', async () => {
  const env = {
    PATH: process.env['PATH'],
    MAYFLY_DATA_DIR: await useDataFolder(),
    MAYFLY_HTTP_PORT: '0',
    MAYFLY_DNS_SERVERS: 'none',
  };
  const child = spawn('python3', ['-c', keeper, process.execPath, main(), 'serve'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  const numbersOf = (word: string): number[] =>
    [...output.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, number]) => Number(number));
  const lives = (): number => output.match(/^ready /gm)?.length ?? 0;
  onTestFinished(() => {
    child.kill('SIGKILL');
    for (const pid of numbersOf('pid')) endQuietly(pid);
  });
  await expect.poll(lives).toBe(1);
  const [port = 0] = numbersOf('port');
  expect((await connectGreeted(port)).greeting).toMatch(/^220 /);
  process.kill(numbersOf('pid')[0] ?? 0, 'SIGTERM');
  await expect.poll(() => numbersOf('pid').length).toBe(2);
  const waiting = await connectTo(port);
  // A machine too busy to start in time answers 421, which is fine too.
  expect(await waiting.readReply()).toMatch(/^(?:220 |421 4\.3\.2 Overloaded)/);
  expect(lives()).toBe(2);
});

function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}

it('systemd finds no fault in the unit files', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-units-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const source = fileURLToPath(new URL('../../deploy/systemd/', import.meta.url));
  const units = ['mayfly.service', 'mayfly-smtp.socket', 'mayfly-http.socket', 'mayfly-redirect.socket'];
  await mkdir(path.join(folder, 'bin'));
  for (const unit of units) await cp(path.join(source, unit), path.join(folder, unit));
  // The program's path on this machine.
  const service = path.join(folder, 'mayfly.service');
  const text = (await readFile(service, 'utf8')).replace(/\/usr\/bin\/node \S+/, '/bin/true');
  await writeFile(service, text);
  const { status, stderr } = await runProgram('systemd-analyze', [
    'verify',
    '--man=no',
    ...units.map((unit) => path.join(folder, unit)),
  ]);
  const own = stderr.split('\n').filter((line) => line.includes('mayfly'));
  expect({ status, own }).toEqual({ status: 0, own: [] });
});
