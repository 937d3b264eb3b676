// `mayfly dev` as a developer uses it: one command, and everything is gone afterwards.

import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import path from 'node:path';

import { describe, expect, inject, it, onTestFinished } from 'vitest';

import {
  devEnvironment,
  devFolders,
  newTemp,
  rootOf,
  sharedToken,
  startDev,
} from '../support/service/dev-process.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';

function runDev(words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const main = path.join(inject('buildDir'), 'main.js');
  return runProgram(process.execPath, [main, 'dev', ...words], { env: devEnvironment({ environment }) });
}

describe('its data', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('is gone after %s', async (signal) => {
    const temp = newTemp();
    const mayfly = await startDev({ temp });
    expect(devFolders(temp)).toHaveLength(1);
    expect(await mayfly.stop(signal)).toBe(0);
    expect(devFolders(temp)).toEqual([]);
  });

  it('is gone after the next start if it was killed, and that of a running one stays', async () => {
    const temp = newTemp();
    const killed = await startDev({ temp });
    const [left] = devFolders(temp);
    await killed.stop('SIGKILL');
    expect(devFolders(temp)).toEqual([left]);
    const running = await startDev({ temp });
    const [used] = devFolders(temp);
    expect(used).not.toBe(left);
    await startDev({ temp });
    expect(devFolders(temp)).toHaveLength(2);
    expect(devFolders(temp)).toContain(used);
    expect((await running.call('/domains')).status).toBe(200);
  });

  it('is kept with --data, and there again', async () => {
    const temp = newTemp();
    const data = path.join(temp, 'kept');
    const words = ['--data', data, '--smtp-port', '0', '--http-port', '0'];
    const first = await startDev({ temp, words });
    const { email, token } = await first.lend();
    const client = await greet(first.smtpPort);
    expect(await client.deliver('Subject: kept\r\n\r\n', email)).toMatch(/^250/);
    await first.stop();
    expect(devFolders(temp)).toEqual([]);
    expect(existsSync(path.join(data, 'mayfly.db'))).toBe(true);
    const second = await startDev({ temp, words });
    expect(await second.checkMail(token)).toMatchObject([{ subject: 'kept' }]);
  });

  it('is no data folder that the environment names for another service', async () => {
    const temp = newTemp();
    const other = path.join(temp, 'production');
    await startDev({ temp, environment: { MAYFLY_DATA_DIR: other, MAYFLY_STORE_URL: `sqlite:${other}.db` } });
    expect(existsSync(other)).toBe(false);
    expect(existsSync(`${other}.db`)).toBe(false);
  });
});

describe('its mail', () => {
  it('is for any address, and read on the page at the root', async () => {
    const mayfly = await startDev();
    const token = await sharedToken(mayfly);
    const client = await greet(mayfly.smtpPort);
    for (const to of ['anyone@example.com', 'nobody@mayfly.test', 'x@y.z.example']) {
      expect(await client.deliver(`Subject: for ${to}\r\n\r\n`, to)).toMatch(/^250/);
    }
    expect(await mayfly.checkMail(token)).toMatchObject([
      { subject: 'for x@y.z.example', recipients: ['x@y.z.example'] },
      { subject: 'for nobody@mayfly.test' },
      { subject: 'for anyone@example.com' },
    ]);
  });

  it('is marked as the shared one, unlike other sessions and shares of it', async () => {
    const mayfly = await startDev();
    const token = await sharedToken(mayfly);
    const { token: other } = await mayfly.lend();
    const body = new URLSearchParams({ token });
    const shared = await fetch(`${mayfly.origin}/create-share`, { method: 'POST', body });
    const { share } = (await shared.json()) as { share: string };
    const standings: unknown[] = [];
    for (const one of [token, other, share]) {
      standings.push(
        ((await (await mayfly.call('/session', one)).json()) as { standing?: unknown }).standing,
      );
    }
    expect(standings).toEqual([true, undefined, undefined]);
  });

  it('makes room for new mail: keeps as many as Mailpit’s variable says', async () => {
    const mayfly = await startDev({ environment: { MP_MAX_MESSAGES: '2' } });
    const client = await greet(mayfly.smtpPort);
    for (const subject of ['one', 'two', 'three']) {
      expect(await client.deliver(`Subject: ${subject}\r\n\r\n`, 'any@example.com')).toMatch(/^250/);
    }
    const mails = await mayfly.checkMail(await sharedToken(mayfly));
    expect(mails.map(({ subject }) => subject)).toEqual(['three', 'two']);
  });

  it('goes to the session that holds its address first', async () => {
    const mayfly = await startDev();
    const { email, token } = await mayfly.lend();
    const client = await greet(mayfly.smtpPort);
    expect(await client.deliver('Subject: mine\r\n\r\n', email)).toMatch(/^250/);
    expect(await mayfly.checkMail(token)).toMatchObject([{ subject: 'mine' }]);
    expect(await mayfly.checkMail(await sharedToken(mayfly))).toEqual([]);
  });

  it('outlives a restart if it is kept, also for clients without credentials', async () => {
    const words = ['--data', path.join(newTemp(), 'kept'), '--smtp-port', '0', '--http-port', '0'];
    const first = await startDev({ words });
    const client = await greet(first.smtpPort);
    expect(await client.deliver('Subject: kept\r\n\r\n', 'any@example.org')).toMatch(/^250/);
    await first.stop();
    const second = await startDev({ words });
    expect(await second.checkMail(await sharedToken(second))).toMatchObject([{ subject: 'kept' }]);
  });
});

describe('a connection that authenticates', () => {
  const plain = (name: string, password: string): string =>
    `AUTH PLAIN ${Buffer.from(`\0${name}\0${password}`).toString('base64')}`;

  /** Returns the subjects in the shared inbox after one mail each from these logins and from a client without one. */
  async function subjectsAfter(environment: Readonly<Record<string, string>>, logins: readonly string[]) {
    const mayfly = await startDev({ environment });
    for (const login of ['', ...logins]) {
      const client = await greet(mayfly.smtpPort);
      if (login !== '') expect(await client.command(login)).toMatch(/^235 /);
      expect(await client.deliver(`Subject: ${login}\r\n\r\n`, 'any@example.com')).toMatch(/^250/);
    }
    return (await mayfly.checkMail(await sharedToken(mayfly))).map(({ subject }) => subject);
  }

  it('has another inbox than the shared one, for any name and password', async () => {
    expect(await subjectsAfter({}, [plain('worker-1', 'x'), plain('ünïcode 2', '')])).toEqual(['']);
  });

  it('is read over HTTP with the same name, and with no other', async () => {
    const mayfly = await startDev();
    for (const name of ['', 'worker-1', 'worker-2', 'worker-1']) {
      const client = await greet(mayfly.smtpPort);
      if (name !== '') expect(await client.command(plain(name, 'any'))).toMatch(/^235 /);
      expect(await client.deliver(`Subject: of ${name}\r\n\r\n`, 'any@example.com')).toMatch(/^250/);
    }
    const read = async (name: string): Promise<string[]> => {
      const authorization = `Basic ${Buffer.from(`${name}:other`).toString('base64')}`;
      const headers = name === '' ? {} : { authorization };
      const response = await fetch(`${rootOf(mayfly)}/api/v1/messages`, { headers });
      const { messages } = (await response.json()) as { messages: { Subject: string }[] };
      return messages.map(({ Subject: subject }) => subject);
    };
    expect(await read('')).toEqual(['of']);
    expect(await read('worker-1')).toEqual(['of worker-1', 'of worker-1']);
    expect(await read('worker-2')).toEqual(['of worker-2']);
    expect(await read('worker-3')).toEqual([]);
  });

  it('fails as Mailpit’s chaos interface says, for every sender', async () => {
    const mayfly = await startDev();
    const chaos = async (body: object): Promise<void> => {
      const put = { method: 'PUT', body: JSON.stringify(body) };
      expect((await fetch(`${rootOf(mayfly)}/api/v1/chaos`, put)).status).toBe(200);
    };
    const deliver = async (): Promise<string> =>
      sendMail(await greet(mayfly.smtpPort), 'Subject: x\r\n\r\n', 'any@example.com');
    await chaos({ Sender: { ErrorCode: 451, Probability: 100 } });
    expect(await deliver()).toMatch(/^451 /);
    await chaos({ Authentication: { ErrorCode: 535, Probability: 100 } });
    expect(await (await greet(mayfly.smtpPort)).command(plain('worker-1', 'x'))).toMatch(/^535 /);
    expect(await deliver()).toMatch(/^250 /);
  });

  it('has the shared inbox if Mailpit’s variables name its login', async () => {
    const login = plain('app', 'secret:1');
    expect(await subjectsAfter({ MP_SMTP_AUTH_ACCEPT_ANY: 'true' }, [login])).toEqual([login, '']);
    expect(await subjectsAfter({ MP_SMTP_AUTH: 'a:b app:secret:1' }, [login])).toEqual([login, '']);
  });

  it('is refused a wrong password if Mailpit’s variables name them', async () => {
    const mayfly = await startDev({ environment: { MP_SMTP_AUTH: 'app:secret' } });
    const client = await greet(mayfly.smtpPort);
    for (const wrong of [plain('app', 'Secret'), plain('other', 'secret')]) {
      expect(await client.command(wrong)).toMatch(/^535 /);
    }
    expect(await client.command(plain('app', 'secret'))).toMatch(/^235 /);
  });
});

describe('a start', () => {
  it('returns 200 where test containers wait, beside the interface and the page', async () => {
    const mayfly = await startDev();
    for (const url of [
      '/',
      '/livez',
      '/readyz',
      '/mayfly/',
      '/mayfly/docs',
      '/mayfly/readyz',
      '/mayfly/domains',
    ]) {
      expect((await fetch(rootOf(mayfly) + url, { redirect: 'manual' })).status, url).toBe(200);
    }
    const missing = await fetch(`${mayfly.origin}/nothing`);
    expect([missing.status, await missing.json()]).toMatchObject([404, { code: 'not_found' }]);
    const wrong = await fetch(`${mayfly.origin}/domains`, { method: 'POST' });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect((await fetch(`${rootOf(mayfly)}/mayflyer`)).headers.get('content-type')).toMatch(/^text\/plain/);
  });

  it('is healthy for the image’s health check until it is stopped', async () => {
    const mayfly = await startDev();
    const { port } = new URL(mayfly.origin);
    const env = { PATH: process.env['PATH'], MAYFLY_HTTP_PORT: '9', MP_UI_BIND_ADDR: `0.0.0.0:${port}` };
    const check = async () => (await runProgram(process.execPath, ['bin/healthcheck.mjs'], { env })).status;
    expect(await check()).toBe(0);
    await mayfly.stop();
    expect(await check()).toBe(1);
  });

  it('prints the lines for a test’s environment', async () => {
    const mayfly = await startDev();
    expect(mayfly.said).toContain(`\nSMTP_HOST=127.0.0.1\nSMTP_PORT=${mayfly.smtpPort}\n`);
    expect(mayfly.said).toContain(`\nMAILPIT_URL=${rootOf(mayfly)}\n`);
    expect(mayfly.said).not.toContain('can read all of it');
    const open = await startDev({ words: ['--host', '0.0.0.0', '--smtp-port', '0', '--http-port', '0'] });
    expect(open.said).toContain('Anyone who can reach this machine on these ports can read all of it.');
    expect(open.said).toContain('\nSMTP_HOST=127.0.0.1\n');
  });

  it('lifts rates: a hundred sessions at once, and the same address again', async () => {
    const mayfly = await startDev();
    const all = await Promise.all(Array.from({ length: 100 }, () => mayfly.lend()));
    expect(new Set(all.map(({ token }) => token)).size).toBe(100);
    const { token } = await mayfly.lend({ prefix: 'fox' });
    const headers = { authorization: `Bearer ${token}` };
    expect((await fetch(`${mayfly.origin}/end-session`, { method: 'POST', headers })).status).toBe(200);
    expect(await mayfly.lend({ prefix: 'fox' })).toMatchObject({ email: 'fox@mayfly.test' });
  });

  it('on a port that is taken names the option for another, and leaves nothing', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const temp = newTemp();
    const words = ['--smtp-port', String(port), '--http-port', '0'];
    const main = path.join(inject('buildDir'), 'main.js');
    const output = await runProgram(process.execPath, [main, 'dev', ...words], {
      env: devEnvironment({ temp }),
    });
    expect(output.stderr).toMatch(/^mayfly: SMTP cannot listen: .*EADDRINUSE.* --smtp-port .*\n$/);
    expect(output).toMatchObject({ status: 1, stdout: '' });
    expect(devFolders(temp)).toEqual([]);
  });

  it('listens where Mailpit’s variables say, unless an option says otherwise', async () => {
    const environment = { MP_SMTP_BIND_ADDR: '127.0.0.2:0', MP_UI_BIND_ADDR: '127.0.0.3:0' };
    const mayfly = await startDev({ words: [], environment });
    expect(mayfly.origin).toMatch(/^http:\/\/127\.0\.0\.3:\d+\/mayfly$/);
    const smtp = connect(mayfly.smtpPort, '127.0.0.2');
    onTestFinished(() => void smtp.destroy());
    expect(String((await once(smtp, 'data'))[0])).toMatch(/^220 /);
  });

  it.each([
    [{ MP_MAX_MESSAGES: 'many' }, 'MP_MAX_MESSAGES'],
    [{ MP_SMTP_AUTH: 'user' }, 'MP_SMTP_AUTH'],
    [{ MP_UI_BIND_ADDR: 'there' }, 'MP_UI_BIND_ADDR'],
  ])('with wrong settings %o ends in one line that names it, with status 78', async (environment, name) => {
    const { status, stdout, stderr } = await runDev([], environment);
    expect({ status, stdout }).toEqual({ status: 78, stdout: '' });
    expect(stderr).toMatch(new RegExp(`^mayfly: ${name} [^\\n]*\\n$`));
  });
});
