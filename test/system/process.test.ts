// The built service as an operator meets it: starting, refusing to start, stopping, crashing.

import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { runMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';
import { connectGreeted, greet } from '../support/smtp/smtp-client.ts';

async function modeOf(file: string): Promise<string> {
  return ((await stat(file)).mode & 0o777).toString(8);
}

describe('the first start', () => {
  it('on an empty folder reports its addresses, lends on mayfly.test and accepts mail', async () => {
    const folder = path.join(await useDataFolder(), 'made', 'by', 'mayfly');
    const mayfly = await useMayfly(folder);
    expect(mayfly.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    const domains = await (await mayfly.call('/domains')).json();
    expect(domains).toMatchObject({ status: 'success', domains: [{ id: 1, domain: 'mayfly.test' }] });
    const { email, token } = await mayfly.lend();
    const client = await greet(mayfly.smtpPort);
    expect(await client.deliver('Subject: first\r\n\r\n', email)).toMatch(/^250/);
    expect(await mayfly.checkMail(token)).toMatchObject([{ id: 1, subject: 'first' }]);
    expect(await modeOf(folder)).toBe('700');
    expect(await modeOf(path.join(folder, 'mayfly.sock'))).toBe('600');
  });

  it('adds the configured domains, and later ones only by command', async () => {
    const folder = await useDataFolder();
    const names = async (settings: Record<string, string>): Promise<string[]> => {
      const mayfly = await useMayfly(folder, settings);
      const { domains } = (await (await mayfly.call('/domains')).json()) as { domains: { domain: string }[] };
      expect(await mayfly.stop()).toBe(0);
      return domains.map(({ domain }) => domain);
    };
    expect(await names({ MAYFLY_DOMAINS: 'one.test, Two.test' })).toEqual(['one.test', 'two.test']);
    expect(await names({ MAYFLY_DOMAINS: 'three.test' })).toEqual(['one.test', 'two.test']);
    expect(await names({})).toEqual(['one.test', 'two.test']);
  });
});

describe('an impossible start', () => {
  it('on a folder in use is refused in one line, with status 1', async () => {
    const folder = await useDataFolder();
    const first = await useMayfly(folder);
    const second = await runMayfly(folder, ['serve']);
    expect(second).toEqual({
      status: 1,
      stdout: '',
      stderr: `mayfly: Another Mayfly runs on the data folder ${folder}.\n`,
    });
    expect((await first.call('/domains')).status).toBe(200);
  });

  it.each([
    ['MAYFLY_HTTP_PORT', 'eighty'],
    ['MAYFLY_DOMAINS', 'good.test,bad domain'],
    ['MAYFLY_SESSION_LIFETIME_MIN_SECONDS', '86401'],
  ])('with a wrong %s ends in one line that names it, with status 78', async (name, value) => {
    const { status, stdout, stderr } = await runMayfly(await useDataFolder(), ['serve'], { [name]: value });
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^mayfly: ${name} [^\\n]*\\n$`));
  });

  it.each(['MAYFLY_HTTP_PORT', 'MAYFLY_SMTP_PORT'])(
    'with a taken %s says so, with status 1',
    async (name) => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      onTestFinished(() => {
        server.close();
      });
      const { port } = server.address() as AddressInfo;
      const { status, stdout, stderr } = await runMayfly(await useDataFolder(), ['serve'], {
        [name]: String(port),
      });
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(new RegExp(`^mayfly: [^\\n]*in use[^\\n]*:${port}\\b[^\\n]*\\n$`));
    },
  );

  it('on a folder that cannot be created says so, with status 78', async () => {
    const { status, stderr } = await runMayfly('/dev/null/data', ['serve']);
    expect(status).toBe(78);
    expect(stderr).toMatch(/^mayfly: The data folder \/dev\/null\/data cannot be used: [^\n]*\n$/);
  });
});

describe('SIGTERM', () => {
  it('completes the message in progress, exits with 0, and everything is there at the next start', async () => {
    const folder = await useDataFolder();
    const mayfly = await useMayfly(folder);
    const { email, token } = await mayfly.lend();
    const client = await greet(mayfly.smtpPort);
    await client.startData(email);
    client.send('Subject: under way\r\n');
    const { client: idle } = await connectGreeted(mayfly.smtpPort);
    const stopped = mayfly.stop('SIGTERM');
    expect(await idle.closed).toEqual(['421 4.3.2 Shutting down, try again later']);
    idle.socket.end();
    client.send('\r\nbody\r\n.\r\n');
    expect((await client.closed).map((line) => line.slice(0, 9))).toEqual(['250 2.0.0', '421 4.3.2']);
    client.socket.end();
    expect(await stopped).toBe(0);
    const again = await useMayfly(folder);
    expect(await again.checkMail(token)).toMatchObject([{ id: 1, subject: 'under way' }]);
  });

  it('and SIGINT at once, as from a terminal, count as one', async () => {
    const mayfly = await useMayfly(await useDataFolder());
    mayfly.child.kill('SIGINT');
    expect(await mayfly.stop('SIGTERM')).toBe(0);
  });
});
