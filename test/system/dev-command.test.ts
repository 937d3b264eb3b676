// `mayfly dev -- COMMAND`: a test run beside its own service, whose status is the command's.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { expect, inject, it } from 'vitest';

import { devEnvironment, devFolders, newTemp } from '../support/service/dev-process.ts';
import { runProgram } from '../support/servers/run-program.ts';

/** Sends a mail to each address by SMTP, as an application under test would. */
const sendTo = (addresses: readonly string[]): string => `
  const { connect } = await import('node:net');
  const lines = (to) => ['EHLO x', 'MAIL FROM:<a@b.example>', 'RCPT TO:<' + to + '>', 'DATA', 'Subject: hi\\r\\n\\r\\nhi\\r\\n.', 'QUIT'];
  for (const to of ${JSON.stringify(addresses)}) {
    const socket = connect(Number(process.env.SMTP_PORT), process.env.SMTP_HOST);
    const left = lines(to);
    socket.on('data', (bytes) => { if (/^\\d{3} /m.test(String(bytes)) && left.length > 0) socket.write(left.shift() + '\\r\\n'); });
    await new Promise((resolve) => socket.on('close', resolve));
  }
`;

function runCommand(options: readonly string[], command: readonly string[], temp = newTemp()) {
  const main = path.join(inject('buildDir'), 'main.js');
  const words = [main, 'dev', ...options, '--', ...command];
  return runProgram(process.execPath, words, { env: devEnvironment({ temp }) });
}

function runScript(options: readonly string[], script: string, temp = newTemp()) {
  return runCommand(options, [process.execPath, '--input-type=module', '-e', script], temp);
}

it('ends with the status of the command and leaves nothing', async () => {
  const temp = newTemp();
  expect(await runScript([], 'process.exit(3)', temp)).toEqual({ status: 3, stdout: '', stderr: '' });
  expect(devFolders(temp)).toEqual([]);
});

it('ends like a shell when a signal ends the command, and when there is no such command', async () => {
  expect((await runScript([], `process.kill(process.pid, 'SIGTERM')`)).status).toBe(143);
  const missing = await runCommand([], ['no-such-command-here']);
  expect(missing.status).toBe(127);
  expect(missing.stderr).toBe('mayfly: the command "no-such-command-here" was not found\n');
});

it('refuses dashes without a command', async () => {
  expect((await runCommand([], [])).status).toBe(64);
});

it('reports the mail that nothing read, by inbox', async () => {
  const { status, stderr } = await runScript([], sendTo(['one@app.example', 'two@app.example']));
  expect(status).toBe(0);
  expect(stderr).toBe('mayfly: 2 of 2 messages were not read\n  the shared inbox: 2\n');
});

it('reports as JSON, and counts what was read', async () => {
  const read = `
    const list = await (await fetch(process.env.MAILPIT_URL + '/api/v1/messages')).json();
    await fetch(process.env.MAILPIT_URL + '/api/v1/message/' + list.messages[0].ID);
    const own = await (await fetch(process.env.MAYFLY_URL + '/create-session?prefix=worker', { method: 'POST' })).json();
  `;
  const script = sendTo(['one@app.example', 'two@app.example']) + read;
  const { status, stderr } = await runScript(['--json'], script);
  expect(status).toBe(0);
  expect(JSON.parse(stderr)).toEqual({ status: 0, inboxes: [{ messages: 2, unread: 1 }] });
});

it('takes the mail that the command sends by HTTP, with addresses and keys from its environment', async () => {
  const script = `
    const { RESEND_BASE_URL: url, RESEND_API_KEY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
    const mail = { from: 'a@app.example', to: 'b@app.example', subject: 'hi', text: 'hi' };
    const sent = await fetch(url + '/emails', { method: 'POST', headers, body: JSON.stringify(mail) });
    process.exit(sent.status === 200 ? 0 : 1);
  `;
  const { status, stderr } = await runScript(['--json'], script);
  expect(status).toBe(0);
  expect(JSON.parse(stderr)).toMatchObject({ inboxes: [{ messages: 1, unread: 1 }] });
});

it('leads all mail of a worker to an inbox of its own', async () => {
  const script = `
    const { RESEND_BASE_URL, RESEND_API_KEY, SENDGRID_BASE_URL, SENDGRID_API_KEY, MAYFLY_URL, MAYFLY_TOKEN, SMTP_URL } = process.env;
    const post = (url, key, body) => fetch(url, {
      method: 'POST', body: JSON.stringify(body),
      headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    });
    await post(RESEND_BASE_URL + '/emails', RESEND_API_KEY, { from: 'a@app.example', to: 'b@app.example', subject: 'resend', text: 'hi' });
    await post(SENDGRID_BASE_URL + '/v3/mail/send', SENDGRID_API_KEY, {
      personalizations: [{ to: [{ email: 'b@app.example' }] }], from: { email: 'a@app.example' }, subject: 'sendgrid',
      content: [{ type: 'text/plain', value: 'hi' }],
    });
    const main = process.argv[1];
    require('node:child_process').execFileSync(process.execPath, [main, 'sendmail', '-t'], { input: 'To: b@app.example\\nSubject: smtp\\n\\nhi' });
    const list = await (await fetch(MAYFLY_URL + '/check-mail', { headers: { authorization: 'Bearer ' + MAYFLY_TOKEN } })).json();
    console.log(JSON.stringify(list.messages.map(({ subject }) => subject)));
    console.log(new URL(SMTP_URL).username);
  `;
  const main = path.join(inject('buildDir'), 'main.js');
  const wrapped = `(async () => {${script}})()`;
  const words = [main, 'dev', '--', process.execPath, '-e', wrapped, main];
  const environment = { MAYFLY_WORKER: 'ci 3', RESEND_API_KEY: 're_real' };
  const { stdout } = await runProgram(process.execPath, words, { env: devEnvironment({ environment }) });
  expect(stdout).toBe('["smtp","sendgrid","resend"]\nworker-ci%203\n');
});

it('passes a signal on to the command in a terminal, but not the one that both had from Ctrl-C', async () => {
  const script = path.join(newTemp(), 'count-signals.cjs');
  writeFileSync(
    script,
    `for (const name of ['SIGINT', 'SIGTERM']) process.on(name, () => console.log(name));
    process.on('SIGTERM', () => setImmediate(() => process.exit(7)));
    console.log('started by ' + process.ppid);
    setTimeout(() => undefined, 60_000);`,
  );
  const main = path.join(inject('buildDir'), 'main.js');
  const line = ['exec', process.execPath, main, 'dev', '--', process.execPath, script].join(' ');
  const terminal = spawn('script', ['-qec', line, '/dev/null'], { env: devEnvironment({}) });
  const ended = once(terminal, 'exit');
  const signals: string[] = [];
  let dev = 0;
  const steps = [
    () => process.kill(dev, 'SIGINT'),
    () => terminal.stdin.write('\x03'),
    () => process.kill(dev, 'SIGTERM'),
  ];
  for await (const printed of createInterface(terminal.stdout)) {
    const [, pid, signal] = /started by (\d+)|(SIG\w+)/.exec(printed) ?? [];
    if (pid === undefined && signal === undefined) continue;
    if (pid !== undefined) dev = Number(pid);
    if (signal !== undefined) signals.push(signal);
    steps.shift()?.();
  }
  expect(signals).toEqual(['SIGINT', 'SIGINT', 'SIGTERM']);
  expect(await ended).toEqual([7, null]);
});

it('writes the variables into a file that lasts as long as it runs', async () => {
  const temp = newTemp();
  const file = path.join(temp, '.env.mail');
  const script = `console.log(require('node:fs').readFileSync(${JSON.stringify(file)}, 'utf8') + process.env.SMTP_PORT)`;
  const { stdout } = await runCommand(['--save-env', file], [process.execPath, '-e', script], temp);
  const port = stdout.trim().split('\n').at(-1) ?? '';
  expect(stdout).toContain(`SMTP_PORT=${port}\n`);
  expect(stdout).toMatch(/^MAYFLY_URL=http:\/\/127\.0\.0\.1:\d+\/mayfly$/m);
  expect(existsSync(file)).toBe(false);
});

it('without a command, prints one line of JSON when it is ready', async () => {
  const temp = newTemp();
  const file = path.join(temp, '.env.mail');
  writeFileSync(file, 'OLD=1\n');
  const main = path.join(inject('buildDir'), 'main.js');
  const words = ['dev', '--json', '--save-env', file, '--smtp-port', '0', '--http-port', '0'];
  const child = spawn(process.execPath, [main, ...words], { env: devEnvironment({ temp }) });
  const [line = ''] = await once(createInterface(child.stdout), 'line');
  const { http, smtp, environment } = JSON.parse(String(line)) as Record<string, Record<string, unknown>>;
  expect(environment).toMatchObject({ MAILPIT_URL: http, SMTP_PORT: String(smtp?.['port']) });
  expect(readFileSync(file, 'utf8')).toContain(`SMTP_PORT=${String(smtp?.['port'])}\n`);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(file)).toBe(false);
});
