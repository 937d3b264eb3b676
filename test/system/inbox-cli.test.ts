// `mayfly inbox`, against the built service and real SMTP.

import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { type InboxLine, mainOf, openInboxLine } from '../support/clients/inbox-line.ts';
import { printedLines } from '../support/printed-lines.ts';
import { runProgram } from '../support/servers/run-program.ts';
import { type ScenarioService, startScenarioService } from '../support/clients/scenario-service.ts';

let service: ScenarioService;

beforeAll(async () => {
  service = await startScenarioService();
  return service.close;
});

async function post(operation: string, body: object): Promise<Record<string, unknown>> {
  const response = await fetch(service.control + operation, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
  return (await response.json()) as Record<string, unknown>;
}

async function send(to: string, mail: object): Promise<string> {
  return String((await post('/send', { to, mail }))['reply']);
}

const codeMail = { subject: 'Your code', text: 'Your verification code is 482913.\n' };

async function tokensOf(line: InboxLine): Promise<string[]> {
  const { inboxes } = JSON.parse(await readFile(path.join(line.folder, 'inboxes.json'), 'utf8')) as {
    inboxes: { token: string }[];
  };
  return inboxes.map(({ token }) => token);
}

async function lend(line: InboxLine, ...words: string[]): Promise<string> {
  return (await line.print('new', ...words)).trim();
}

/** Characters mail must not bring to a terminal: controls, bidirectional marks and invisible ones. */
const unfit = /[^\P{Cc}\n]|[\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/u;

const hostileParts = [
  ...['\x1b[2J\x1b[31m', '\x1b]8;;https://evil.example\x07click\x1b]8;;\x07', '\x1b]0;owned\x07'],
  ...['\x9b31m', '\x9d0;x\x9c', '\u202egnp.exe\u2066', '\b\b\b', 'a\u2028b', '\u{e0041}\u200b'],
];
const hostile = hostileParts.join(' ');
const inBase64 = (text: string): string => `=?utf-8?B?${Buffer.from(text).toString('base64')}?=`;

/** Hostile text in name, subject, text, HTML and the name of an attachment. */
function hostileMail(to: string): object {
  const parts = hostileParts.map(inBase64).join(' ');
  const body = (type: string, text: string): string[] => [
    ...['--x', `Content-Type: ${type}; charset=utf-8`, 'Content-Transfer-Encoding: base64', ''],
    Buffer.from(text).toString('base64'),
  ];
  const raw = [
    ...[`From: ${parts} <a@shop.example>`, `To: ${to}`, `Subject: ${parts} code`],
    ...['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=x', ''],
    ...body('text/plain', `${hostile}\nYour verification code is 482913.\n`),
    ...body('text/html', `<p>${hostile}</p>`),
    ...['--x', `Content-Type: application/pdf; name="${parts}"`],
    ...[`Content-Disposition: attachment; filename="${parts}"`, '', 'x', '--x--', ''],
  ];
  return { raw: raw.join('\r\n'), envelope: { from: 'a@shop.example', to } };
}

describe('new', () => {
  it('prints only the address, and stores the token for its owner', async () => {
    const line = await openInboxLine(service.url);
    const { status, stdout, stderr } = await line.run(['new', '--prefix', 'quiet-fox', '--lifetime', '10m']);
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'quiet-fox@mayfly.test\n', stderr: '' });
    const file = path.join(line.folder, 'inboxes.json');
    expect(((await stat(file)).mode & 0o777).toString(8)).toBe('600');
    expect(((await stat(line.folder)).mode & 0o777).toString(8)).toBe('700');
    const [token = ''] = await tokensOf(line);
    expect(token.length).toBeGreaterThan(30);
    const listed = await line.print('list');
    expect(listed).toMatch(/^ADDRESS +ENDS IN +SERVICE\nquiet-fox@mayfly\.test +9 min +http:/);
    expect(listed + (await line.print('list', '--json'))).not.toContain(token);
    expect(await line.print('end')).toBe('quiet-fox@mayfly.test has ended.\n');
    expect(await tokensOf(line)).toEqual([]);
  });

  it('shows the token only on request', async () => {
    const line = await openInboxLine(service.url);
    const plain = await line.print('new', '--capture', '--json');
    const shown = JSON.parse(await line.print('new', '--json', '--show-token')) as Record<string, unknown>;
    const [captured = '', token] = await tokensOf(line);
    expect(JSON.parse(plain)).toMatchObject({ smtp: { username: expect.any(String) }, url: service.url });
    expect(plain).not.toContain(captured);
    expect(shown['token']).toBe(token);
  });

  it('loses none of many at once', { timeout: 300_000 }, async () => {
    const line = await openInboxLine(service.url);
    const lent = await Promise.all(Array.from({ length: 8 }, () => lend(line)));
    const listed = JSON.parse(await line.print('list', '--json')) as { email: string }[];
    expect(listed.map(({ email }) => email).sort()).toEqual(lent.sort());
  });
});

describe('wait', () => {
  it('prints just the code, the link or the message, of the newest or the named inbox', async () => {
    const line = await openInboxLine(service.url);
    const first = await lend(line);
    const second = await lend(line);
    await send(first, codeMail);
    const link = 'https://shop.example/confirm?token=abc';
    await send(second, { subject: 'Confirm your e-mail address', text: `Confirm your address: ${link}\n` });
    expect(await line.print('wait', first, '--code')).toBe('482913\n');
    expect(await line.print('wait', first, '--code', '--json')).toBe('{"code":"482913"}\n');
    expect(await line.print('wait', '--link', '--host', 'shop.example')).toBe(`${link}\n`);
    const message = JSON.parse(
      await line.print('wait', '--message', '--json', '--subject', 'confirm'),
    ) as object;
    expect(message).toMatchObject({ subject: 'Confirm your e-mail address', recipients: [second] });
  });

  it(
    'gets mail that arrives while it waits, across a restart of the service',
    { timeout: 300_000 },
    async () => {
      const line = await openInboxLine(service.url);
      const address = await lend(line);
      const waiting = line.start(['wait', '--code', '--timeout', '90s']);
      const watching = line.start(['watch']);
      await send(address, { subject: 'Before', text: 'Hello.\n' });
      await watching.printed(/Before\n/);
      await post('/restart', { signal: 'SIGKILL' });
      await send(address, codeMail);
      expect([await waiting.end(), waiting.stdout]).toEqual([0, '482913\n']);
      // The command that waited has read it.
      await watching.printed(/message\.read {2}\d+\n/);
      expect(await watching.end('SIGINT')).toBe(0);
      expect(watching.stdout.split('\n')).toEqual([
        expect.stringMatching(/Before$/),
        expect.stringMatching(/482913 {2}Shop <noreply@shop\.example> {2}Your code$/),
        expect.stringMatching(/^message\.read {2}\d+$/),
        '',
      ]);
    },
  );

  it('explains on standard error why nothing arrived, and fails', async () => {
    const line = await openInboxLine(service.url);
    const address = await lend(line, '--prefix', 'merry-goose');
    await send(address, { subject: '\x1b[31m\u202eWelcome', text: 'Hello.\n' });
    expect(await send('mery-goose@mayfly.test', codeMail)).toMatch(/^550/);
    const { status, stdout, stderr } = await line.run(['wait', '--code', '--timeout', '1s']);
    expect([status, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^mayfly: No message with a code came to merry-goose@mayfly\.test within 1/);
    expect(stderr).toContain('no code in it');
    expect(stderr).toContain('one RCPT to mery-goose@mayfly.test was refused: unknown');
    expect(stderr).not.toMatch(unfit);
  });
});

describe('hostile mail', () => {
  it('puts no control character into the output, and is whole in raw and JSON', async () => {
    const line = await openInboxLine(service.url);
    const address = await lend(line);
    const watching = line.start(['watch']);
    const asJson = line.start(['watch', '--json']);
    expect(await send(address, hostileMail(address))).toMatch(/^250/);
    await watching.printed(/\n/);
    await asJson.printed(/\n/);
    await watching.end('SIGTERM');
    await asJson.end('SIGINT');
    const texts = [
      ...[watching.stdout, asJson.stdout, await line.print('read'), await line.print('wait', '--message')],
      await line.print('read', 'latest', '--json'),
    ];
    for (const text of texts) {
      expect(text).not.toMatch(unfit);
      expect(text).toContain('code');
    }
    expect(await line.print('read', '--raw')).toContain(inBase64(hostileParts[0] ?? ''));
  });

  it('puts none into a terminal, whatever the command', { timeout: 300_000 }, async () => {
    const line = await openInboxLine(service.url);
    const address = await lend(line);
    const raw = `Subject: Hi\r\n\r\n${hostile}\r\n`;
    await send(address, { raw, envelope: { from: 'a@shop.example', to: address } });
    for (const form of ['--raw', '--text']) {
      const shown = await onTerminal(line, `exec '${process.execPath}' '${mainOf()}' inbox read ${form}`);
      expect(shown).toContain('click');
      expect(shown.replaceAll('\r', '')).not.toMatch(unfit);
    }
    const watched = await onTerminal(
      line,
      `exec '${process.execPath}' '${mainOf()}' inbox watch`,
      /Ctrl-C ends.*Hi/s,
    );
    expect(watched.startsWith('\x1b[?1049h\x1b[?25l')).toBe(true);
    expect(watched).toContain('Ctrl-C ends');
    expect(watched.trimEnd().endsWith('\x1b[?25h\x1b[?1049l')).toBe(true);
    expect(watched.replace(/\x1b\[(?:\?1049[hl]|\?25[hl]|H|2J)|\r/g, '')).not.toMatch(unfit);
  });
});

/** Returns what the command writes to a terminal; Ctrl-C is pressed once it has written `enough`. */
function onTerminal(line: InboxLine, command: string, enough?: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, ...line.env, SHELL: '/bin/sh' };
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let shown = '';
    let isLeft = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      shown += text;
      if (isLeft || !enough?.test(shown)) return;
      isLeft = true;
      child.stdin.write('\x03');
    });
    child.once('error', reject);
    child.once('close', (status) => {
      if (status === 0) resolve(shown);
      else reject(new Error(`It ended with ${status}: ${shown}`));
    });
  });
}

describe('open', () => {
  it('passes the token to the browser in a private file, never in its arguments', async () => {
    const line = await openInboxLine(service.url);
    await lend(line);
    const [token = ''] = await tokensOf(line);
    const seen = path.join(line.folder, 'seen');
    const bin = path.join(line.folder, 'bin');
    await mkdir(bin);
    await writeFile(path.join(bin, 'xdg-open'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${seen}'\n`);
    await chmod(path.join(bin, 'xdg-open'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH'] ?? ''}`, DISPLAY: ':99' };
    expect(await line.run(['open'], env)).toEqual({ status: 0, stdout: '', stderr: '' });
    const words = await readFile(seen, 'utf8');
    expect(words).not.toContain(token);
    const page = new URL(words.trim());
    expect(page.protocol).toBe('file:');
    expect(((await stat(page)).mode & 0o777).toString(8)).toBe('600');
    expect(await readFile(page, 'utf8')).toContain(`url=${service.url}/#share=${token}`);
    await line.print('end');
    await expect(stat(page)).rejects.toThrow('ENOENT');
  });

  it('prints the address on request, or if there is no browser', async () => {
    const line = await openInboxLine(service.url);
    await lend(line);
    const [token = ''] = await tokensOf(line);
    const address = `${service.url}/#share=${token}\n`;
    expect(await line.print('open', '--print')).toBe(address);
    for (const env of [{}, { DISPLAY: ':99', PATH: '/nonexistent' }]) {
      const { status, stdout, stderr } = await line.run(['open'], env);
      expect([status, stdout]).toEqual([0, address]);
      expect(stderr).toContain('No browser');
      expect(stderr).not.toContain(token);
    }
  });
});

describe('the token', () => {
  it('may come from the environment, and then nothing is stored', async () => {
    const line = await openInboxLine(service.url);
    const other = await openInboxLine(service.url);
    const address = await lend(line);
    const [token = ''] = await tokensOf(line);
    await send(address, codeMail);
    const env = { MAYFLY_TOKEN: token };
    expect((await other.run(['wait', '--code'], env)).stdout).toBe('482913\n');
    expect((await other.run(['read', '--inbox', address], env)).stdout).toContain('Subject: Your code');
    await expect(stat(other.folder)).rejects.toThrow('ENOENT');
    await line.print('end');
    const ended = await other.run(['wait', '--code'], env);
    expect(ended).toMatchObject({ status: 1, stdout: '' });
    expect(ended.stderr).toContain('session_expired');
    expect(ended.stderr).not.toContain(token);
  });

  it('is not read from a file that others may have read', async () => {
    const line = await openInboxLine(service.url);
    await lend(line);
    const [token = ''] = await tokensOf(line);
    await chmod(path.join(line.folder, 'inboxes.json'), 0o640);
    for (const words of [['new'], ['list'], ['read']]) {
      const { status, stdout, stderr } = await line.run(words);
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr).toContain('chmod 600');
      expect(stderr).not.toContain(token);
    }
  });
});

describe('a failure', () => {
  it.each([
    [2, ['wait'], '--code or --link or --message'],
    [2, ['wait', '--code', '--link'], '--code or --link or --message'],
    [2, ['wait', '--code', '--timeout', 'soon'], '--timeout takes'],
    [2, ['wait', '--code', '--host', 'shop.example'], 'belong to --link'],
    [2, ['new', '--url', 'ftp://shop.example'], '--url takes'],
    [2, ['new', '--url', 'http://ann:secret@shop.example'], 'without a user name'],
    [2, ['new', '--capture', '--prefix', 'fox'], '--capture accepts no --prefix'],
    [2, ['read', '--raw', '--json'], '--raw and --json exclude each other'],
    [2, ['frobnicate'], '`inbox` takes'],
    [1, ['new', '--prefix', 'root'], 'reserved_prefix'],
    [1, ['new', '--domain', 'elsewhere.example'], 'no active domain'],
    [1, ['read'], '`mayfly inbox new` creates one'],
    [1, ['wait', 'fox@mayfly.test', '--code'], 'There is no inbox "fox@mayfly.test"'],
  ] as const)('with status %i: %j', async (status, words, says) => {
    const line = await openInboxLine(service.url);
    const failed = await line.run(words);
    expect([failed.status, failed.stdout]).toEqual([status, '']);
    expect(failed.stderr).toContain(says);
    expect(failed.stderr).toMatch(/^mayfly: .*\n$/);
  });

  it('is reported for an ended inbox, which is forgotten', async () => {
    const line = await openInboxLine(service.url);
    const address = await lend(line);
    const [token = ''] = await tokensOf(line);
    await fetch(`${service.url}/end-session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    });
    const { status, stderr } = await line.run(['read']);
    expect([status, stderr]).toEqual([1, `mayfly: The inbox ${address} has ended; its mail is gone.\n`]);
    expect(await tokensOf(line)).toEqual([]);
  });
});

it('stores a file and prints all messages as an mbox file that Python reads', async () => {
  const line = await openInboxLine(service.url);
  const email = await lend(line);
  const file = path.join(line.folder, 'a.eml');
  await writeFile(file, 'From: a@shop.example\nSubject: From a file\n\nFrom me\n>From you\n');
  expect(await line.print('import', file)).toBe('1\n');
  await send(email, codeMail);
  const mbox = await line.print('export');
  await writeFile(path.join(line.folder, 'mail.mbox'), mbox);
  const program = `
import mailbox, sys
for m in mailbox.mbox(sys.argv[1]):
    print(m["Subject"], "|", m.get_payload().rstrip())
`;
  const { stdout } = await runProgram('python3', ['-c', program, path.join(line.folder, 'mail.mbox')]);
  expect(stdout).toBe('From a file | >From me\n>>From you\nYour code | Your verification code is 482913.\n');
  const missing = await line.run(['import', path.join(line.folder, 'none.eml')]);
  expect([missing.status, missing.stdout]).toEqual([1, '']);
});

it('runs as its documentation prints it', { timeout: 300_000 }, async () => {
  const line = await openInboxLine(service.url);
  const bin = path.join(line.folder, '../bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'mayfly'), `#!/bin/sh\nexec '${process.execPath}' '${mainOf()}' "$@"\n`);
  // The shop, which sends its mail through the test's service.
  const signUp = `#!${process.execPath}
    const mail = { subject: 'Welcome', text: 'Your verification code is 482913.' };
    fetch('${service.control}/send', { method: 'POST', body: JSON.stringify({ to: process.argv[2], mail }) });\n`;
  await writeFile(path.join(bin, 'sign-up'), signUp);
  for (const name of ['mayfly', 'sign-up']) await chmod(path.join(bin, name), 0o755);
  const script = printedLines('clients/command-line.md', { language: 'sh', nth: 0 });
  const { status, stdout, stderr } = await runProgram('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    env: { ...line.env, PATH: `${bin}:${process.env['PATH'] ?? ''}` },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('The code is 482913');
  expect(await tokensOf(line)).toEqual([]);
});
