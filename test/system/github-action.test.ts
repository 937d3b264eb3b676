// The GitHub Action of clients/action, with its two steps run like a runner: inputs in the environment, everything
// else in files.

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { createTransport } from 'nodemailer';
import { expect, it, onTestFinished } from 'vitest';

import { readTotals, toHtml, toLines } from '../../clients/action/src/summary.mjs';
import { comeAgain } from '../support/faults/come-again.ts';
import { type Finished, runProgram } from '../support/servers/run-program.ts';

const action = path.resolve('clients/action');
const checkout = path.resolve('.');
const files = ['GITHUB_OUTPUT', 'GITHUB_ENV', 'GITHUB_STATE', 'GITHUB_STEP_SUMMARY'] as const;
const usual = { version: checkout, 'http-port': '0', 'smtp-port': '0', compat: '' };

class Job {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'mayfly-action-'));

  constructor() {
    for (const name of files) writeFileSync(this.#file(name), '');
    onTestFinished(() => {
      const pid = Number(this.read('GITHUB_STATE')['pid'] ?? '0');
      if (pid > 0 && isAlive(pid)) process.kill(pid, 'SIGKILL');
      rmSync(this.folder, { recursive: true });
    });
  }

  async run(step: 'main' | 'post', inputs: Readonly<Record<string, string>> = {}): Promise<Finished> {
    const named = (prefix: string, values: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(values).map(([name, value]) => [prefix + name, value]));
    const given = Object.entries({ ...usual, ...inputs }).map(([name, value]) => [name.toUpperCase(), value]);
    return runProgram(process.execPath, [path.join(action, `src/${step}.mjs`)], {
      env: {
        PATH: `${path.dirname(process.execPath)}:${process.env['PATH']}`,
        HOME: process.env['HOME'],
        RUNNER_TEMP: this.folder,
        TMPDIR: this.folder,
        GITHUB_WORKSPACE: checkout,
        ...Object.fromEntries(files.map((name) => [name, this.#file(name)])),
        ...named('INPUT_', Object.fromEntries(given) as Record<string, string>),
        ...named('STATE_', this.read('GITHUB_STATE')),
      },
    });
  }

  /** Returns the values of a file, as the runner reads them. */
  read(name: (typeof files)[number]): Record<string, string> {
    const text = readFileSync(this.#file(name), 'utf8');
    return Object.fromEntries(
      [...text.matchAll(/^([\w-]+)<<(.+)\n([^]*?)\n\2\n/gm)].map(([, key = '', , value = '']) => [
        key,
        value,
      ]),
    );
  }

  summary(): string {
    return readFileSync(this.#file('GITHUB_STEP_SUMMARY'), 'utf8');
  }

  /** Returns its leftovers on disk. */
  leftovers(): string[] {
    return readdirSync(this.folder).filter((name) => !files.some((file) => file === name));
  }

  #file(name: (typeof files)[number]): string {
    return path.join(this.folder, name);
  }
}

/** An ended process may wait for its parent, which is not ours. */
function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}/cmdline`) && readFileSync(`/proc/${pid}/cmdline`, 'utf8') !== '';
}

it('starts mayfly dev, passes its addresses to the job, reports its mail, and leaves nothing', async () => {
  const job = new Job();
  const started = await job.run('main', { compat: 'mailpit, mail.tm' });
  expect(started, started.stdout + started.stderr).toMatchObject({ status: 0 });
  const outputs = job.read('GITHUB_OUTPUT');
  const { url = '', 'smtp-port': port = '' } = outputs;
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mayfly$/);
  const root = url.replace('/mayfly', '');
  expect(outputs).toEqual({ url, 'smtp-host': '127.0.0.1', 'smtp-port': port, 'compat-url': root });
  expect(job.read('GITHUB_ENV')).toEqual({ MAYFLY_URL: url, MAILPIT_URL: root, MAILTM_URL: root });

  const lent = await fetch(`${url}/create-session`, { method: 'POST' });
  const { email } = (await lent.json()) as { email: string };
  const transport = createTransport({ host: '127.0.0.1', port: Number(port), ignoreTLS: true });
  for (const to of [email, 'any@shop.example']) {
    await comeAgain(() =>
      transport.sendMail({ from: 'a@shop.example', to, subject: 'secret words', text: 'secret' }),
    );
  }

  const pid = Number(job.read('GITHUB_STATE')['pid']);
  expect(isAlive(pid)).toBe(true);
  const ended = await job.run('post');
  expect(ended, ended.stdout + ended.stderr).toMatchObject({ status: 0 });
  expect(ended.stdout).toMatch(/^ {2}Messages: stored[^;\n]*: 2$/m);
  expect(ended.stdout).toMatch(/^ {2}Recipients: accepted: 2$/m);
  expect(ended.stdout).toMatch(/^ {4}\d{4}-\S+ \S+ accepted mail from a@shop\.example: 250 /m);
  expect(ended.stdout + job.summary()).not.toMatch(/secret|mf_/);
  expect(job.summary()).toContain('<h3>Mayfly</h3>');
  expect(isAlive(pid)).toBe(false);
  await expect(fetch(url)).rejects.toThrow();
  expect(job.leftovers()).toEqual([]);
}, 240_000);

it('fails with the reason when a port is taken, and leaves nothing', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const job = new Job();
  const { status, stdout } = await job.run('main', {
    'smtp-port': String((server.address() as AddressInfo).port),
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error title=Mayfly::mayfly dev ended with \d+\..*EADDRINUSE/m);
  expect(job.read('GITHUB_OUTPUT')).toEqual({});
  expect(await job.run('post')).toMatchObject({ status: 0 });
  expect(job.leftovers()).toEqual([]);
}, 240_000);

it.each([
  ['version', '1.2'],
  ['version', '1.2.3 --registry=http://x.example'],
  ['version', './docs'],
  ['version', ''],
  ['http-port', '65536'],
  ['smtp-port', '-1'],
  ['smtp-port', '25;id'],
  ['compat', 'mailpit postfix'],
  ['compat', 'constructor'],
])('refuses the input %s=%j by name, and starts nothing', async (name, value) => {
  const job = new Job();
  const { status, stdout } = await job.run('main', { [name]: value });
  expect(status).toBe(1);
  expect(stdout).toMatch(new RegExp(`^::error title=Mayfly::${name}: `, 'm'));
  expect(job.read('GITHUB_STATE')).toEqual({});
  expect(job.leftovers()).toEqual([]);
});

it('shows senders’ text as text, on separate lines', () => {
  const hostile = {
    at: '2026-01-02 03:04:05',
    outcome: 'accepted',
    reply: '250 OK</pre><script>',
    mail_from: '"a\n::set-output name=x::y\u{202e}"@b.example',
  };
  const summary = { totals: [], deliveries: [hostile] };
  expect(toLines(summary).join('\n')).not.toMatch(/^::|\u{202e}/mu);
  expect(toHtml(summary)).not.toContain('<script>');
  expect(toHtml({ ...summary, deliveries: [] })).toContain('none');
});

it('counts by the metrics', () => {
  const metrics = `mayfly_messages_total{source="smtp",outcome="stored",reason=""} 3
mayfly_messages_total{source="smtp",outcome="refused",reason="too_big"} 1
mayfly_messages_total{source="gmail",outcome="stored",reason=""} 0
mayfly_sessions_created_total 7
`;
  expect(readTotals(metrics)).toEqual([
    'Inboxes lent: 7',
    'Messages: stored: 3; refused, too_big: 1',
    'Recipients: none',
  ]);
});

it('has the documented inputs and outputs, and no others', () => {
  const names = (text: string, expression: RegExp): string[] =>
    [...text.matchAll(expression)].map(([, name = '']) => name).sort();
  const declared = readFileSync(path.join(action, 'action.yml'), 'utf8');
  const page = readFileSync(path.join(action, 'README.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `/.test(line));
  const documented = rows.flatMap((row) => names(row.split('|')[1] ?? '', /`([\w-]+)`/g));
  expect(documented.sort()).toEqual(names(declared, /^ {2}([\w-]+):\n/gm));
});
