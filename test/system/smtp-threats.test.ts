// Published vulnerabilities of mail receivers, by id, that need a separate process: floods, logs, programs. Smuggling,
// chunks and envelopes are in smtp-advisories.test.ts, STARTTLS in smtp-starttls.test.ts.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { createDataFolder, type MayflyProcess, startMayfly } from '../support/service/mayfly-process.ts';
import { memoryOf } from '../support/faults/memory-load.ts';
import { connectGreeted, greet, type SmtpClient } from '../support/smtp/smtp-client.ts';
import { startSmtp, testDomain } from '../support/smtp/smtp-fixture.ts';

const mebibyte = 1024 * 1024;

async function start(settings: Readonly<Record<string, string>> = {}): Promise<MayflyProcess> {
  const data = await createDataFolder();
  onTestFinished(data.remove);
  const mayfly = await startMayfly(data.path, { MAYFLY_LIMITS_RATE: 'off', ...settings });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Writes this many bytes as fast as they are accepted, or until the server is gone. */
async function pour(client: SmtpClient, bytes: number): Promise<void> {
  const piece = Buffer.alloc(mebibyte, 'x');
  let isOver = false;
  void client.closed.then(() => (isOver = true));
  for (let sent = 0; sent < bytes && !isOver && client.socket.writable; sent += piece.length) {
    const isTaken = client.socket.write(piece);
    if (!isTaken) {
      await Promise.race([new Promise((resolve) => client.socket.once('drain', resolve)), client.closed]);
    }
  }
}

describe('GHSA-w878-pj84-3j5v (CVE-2026-67445), GHSA-r553-m4fv-5v97, GHSA-fpxj-m5q8-fphw (CVE-2026-45710; Mailpit): 100 MB without a line end', () => {
  it('as a command, eight times at once, are cut off and not buffered', async () => {
    const mayfly = await start();
    const before = await memoryOf(mayfly);
    const ends = Array.from({ length: 8 }, async () => {
      const { client } = await connectGreeted(mayfly.smtpPort);
      await pour(client, 100 * mebibyte);
      return client.closed;
    });
    for (const lines of await Promise.all(ends)) {
      expect(lines.slice(0, 1)).toEqual(['500 5.5.2 Line too long']);
    }
    expect((await memoryOf(mayfly)).peak - before.now).toBeLessThan(64 * mebibyte);
  });

  it('in DATA, four times at once, are dropped and refused with 552 at the end', async () => {
    const mayfly = await start();
    const { email, token } = await mayfly.lend();
    // A session starts the threads that read: their memory is not the attack's.
    const warm = await greet(mayfly.smtpPort);
    const html = 'Subject: x\r\nContent-Type: text/html\r\n\r\n<p>x</p>\r\n';
    expect(await warm.deliver(html, email)).toMatch(/^250/);
    expect(await mayfly.readMail(token, 1)).toMatchObject({ parse: 'ok' });
    const before = await memoryOf(mayfly);
    const ends = Array.from({ length: 4 }, async () => {
      const client = await greet(mayfly.smtpPort);
      await client.startData(email);
      await pour(client, 100 * mebibyte);
      client.send('\r\n.\r\n');
      return client.readReply();
    });
    expect(await Promise.all(ends)).toEqual(Array<string>(4).fill('552 5.3.4 Message is too big'));
    expect((await memoryOf(mayfly)).peak - before.now).toBeLessThan(100 * mebibyte);
  });
});

describe('relaying', () => {
  it.each([
    'b@foreign.test',
    `@${testDomain}:b@foreign.test`,
    `@foreign.test,@${testDomain}:b@foreign.test`,
    `b%foreign.test@${testDomain}`,
    `"b@foreign.test"@${testDomain}`,
    `b@foreign.test@${testDomain}`,
    `${testDomain}!b@foreign.test`,
    `foreign.test!b@${testDomain}`,
    'b@[127.0.0.1]',
    'b@[IPv6:::1]',
    `b@${testDomain}.foreign.test`,
    `b@sub.${testDomain}`,
  ])('to <%s> is refused at RCPT', async (recipient) => {
    const fixture = await startSmtp();
    await fixture.lend('b');
    const client = await fixture.greet();
    await client.command('MAIL FROM:<a@client.test>');
    expect(await client.command(`RCPT TO:<${recipient}>`)).toBe('550 5.7.1 Relaying denied');
    expect(await client.command('DATA')).toBe('554 5.5.1 No valid recipients');
  });
});

describe('Haraka PR 3185: a HELO that injects lines into the log', () => {
  it('every line of the log is one JSON object, whatever the sender sends', async () => {
    const mayfly = await start({ MAYFLY_LOG_LEVEL: 'trace' });
    const { email } = await mayfly.lend();
    for (const hostile of [
      'evil\n{"level":50,"msg":"forged"}',
      '\x1b[2Jred',
      '\u2028next',
      'x'.repeat(64_000),
    ]) {
      const { client } = await connectGreeted(mayfly.smtpPort);
      client.send(Buffer.from(`EHLO ${hostile}\r\nEHLO ok.test\r\nMAIL FROM:<${hostile}@b.test>\r\n`));
      client.send(
        Buffer.from(`MAIL FROM:<a@b.test>\r\nRCPT TO:<${hostile}>\r\nRCPT TO:<${email}>\r\nQUIT\r\n`),
      );
      await client.closed;
    }
    const client = await greet(mayfly.smtpPort);
    await client.deliver('Subject: \x1b[31mred\x1b[0m\r\n\r\n', email);
    expect(await mayfly.stop()).toBe(0);
    const lines = mayfly.log.split('\n').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThan(0);
    for (const line of lines) {
      expect(JSON.parse(line)).toBeTypeOf('object');
      expect(line).not.toMatch(/[\p{Cc}\u2028]|forged|\[2J|\[31m/u);
      expect(line.length).toBeLessThan(4096);
    }
    expect(mayfly.log).not.toContain(email.split('@')[0]);
  });
});

describe('CVE-2016-1000282 (Haraka), CVE-2020-7247 (OpenSMTPD): fields of a mail that reached a shell', () => {
  // pg_dump for backups of PostgreSQL, by a command that runs as a separate process, which no mail reaches; and the
  // command of `mayfly dev -- COMMAND`, whose words come from the command line; and the operator's `quickstart`.
  const startPrograms = [
    'packages/quickstart/src/machine.ts',
    'src/cli/postgres-copy.ts',
    'src/cli/run-beside.ts',
  ];

  it('the service starts no other program', () => {
    const sources = ['src', 'packages'].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter(
          (file) =>
            /\.m?ts$|\.mjs$/.test(file) &&
            !/\.test\.ts$|node_modules|^mail-(?:reader.(?:train|benchmark)|report.caniemail)/.test(file),
        )
        .map((file) => path.join(folder, file)),
    );
    expect(sources.length).toBeGreaterThan(100);
    const starting = sources.filter((file) =>
      /child_process|execFile|spawnSync/.test(readFileSync(file, 'utf8')),
    );
    expect(starting.sort()).toEqual(startPrograms.map((file) => path.normalize(file)));
  });
});

describe('CVE-2023-27582 (maddy), CVE-2026-40193: ways around authentication', () => {
  it.each([
    ['AUTH PLAIN AGEAYg==', '535 5.7.8 '],
    ['AUTH CRAM-MD5', '504 5.5.4 '],
    ['AUTH EXTERNAL =', '504 5.5.4 '],
    ['AUTH ANONYMOUS', '504 5.5.4 '],
    ['AUTH', '501 5.5.4 '],
  ])('%s does not authenticate', async (line, reply) => {
    const fixture = await startSmtp();
    const client = await fixture.greet();
    expect(await client.command(line)).toMatch(new RegExp(`^${reply}`));
    await client.command('MAIL FROM:<a@b.test>');
    expect(await client.command('RCPT TO:<anybody@foreign.test>')).toMatch(/^550 5\.7\.1 /);
  });
});
