// Operator commands, on a running service and on a stopped one.

import { describe, expect, it, onTestFinished } from 'vitest';

import { parseArguments } from '../../src/cli/parse-arguments.ts';
import { UsageError } from '#command-line/usage-error';
import { type MayflyProcess, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';

async function start(folder: string): Promise<MayflyProcess> {
  const mayfly = await startMayfly(folder);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Returns the lines a command prints; fails when the command fails. */
async function lines(folder: string, ...words: readonly string[]): Promise<string[]> {
  const { status, stdout, stderr } = await runMayfly(folder, words);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  return stdout.trimEnd().split('\n');
}

async function refusal(folder: string, ...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await runMayfly(folder, words);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  return stderr;
}

async function activeDomains(mayfly: MayflyProcess): Promise<string[]> {
  const { domains } = (await (await mayfly.call('/domains')).json()) as { domains: { domain: string }[] };
  return domains.map(({ domain }) => domain);
}

describe('domain commands on a running service', () => {
  it('take effect at once', async () => {
    const folder = await useDataFolder();
    const mayfly = await start(folder);
    expect(await lines(folder, 'domain', 'add', 'Example.ORG', '--quarantine', '0')).toEqual([
      'Domain example.org is active with id 2.',
      'The demo domain mayfly.test gives out no new addresses; its sessions continue to their end.',
    ]);
    expect(await activeDomains(mayfly)).toEqual(['example.org']);
    expect(await lines(folder, 'domain', 'add', 'second.org', '--quarantine', '60')).toEqual([
      'Domain second.org is active with id 3.',
    ]);
    expect(await activeDomains(mayfly)).toEqual(['example.org', 'second.org']);
    expect(await lines(folder, 'domain', 'list')).toEqual([
      'ID  DOMAIN       STATE     QUARANTINE',
      '1   mayfly.test  disabled  0s',
      '2   example.org  active    0s',
      '3   second.org   active    1m',
    ]);
    const { email } = await mayfly.lend({ domain_id: '2' });
    expect(email).toMatch(/@example\.org$/);
    await lines(folder, 'domain', 'disable', 'example.org');
    expect(await activeDomains(mayfly)).toEqual(['second.org']);
    expect((await lines(folder, 'domain', 'list'))[2]).toBe('2   example.org  disabled  0s');
  });

  it('remove ends the sessions if asked to, and an id is never given again', async () => {
    const folder = await useDataFolder();
    const mayfly = await start(folder);
    const { token } = await mayfly.lend();
    expect(await refusal(folder, 'domain', 'remove', 'mayfly.test')).toMatch(
      /^mayfly: Domain mayfly\.test has 1 live session: end them with --end-sessions, [^\n]*\n$/,
    );
    expect((await mayfly.call('/check-mail', token)).status).toBe(200);
    expect(await activeDomains(mayfly)).toEqual(['mayfly.test']);
    expect(await lines(folder, 'domain', 'remove', 'mayfly.test', '--end-sessions')).toEqual([
      'Domain mayfly.test is removed; 1 of its sessions ended.',
    ]);
    expect((await mayfly.call('/check-mail', token)).status).toBe(410);
    expect(await lines(folder, 'domain', 'list')).toEqual([
      'No domains. Add one: mayfly domain add example.org',
    ]);
    expect(await lines(folder, 'domain', 'add', 'mayfly.test')).toEqual([
      'Domain mayfly.test is active with id 2.',
    ]);
  });
});

describe('domain commands on a stopped service', () => {
  it('open the store themselves, and the service sees the changes', async () => {
    const folder = await useDataFolder();
    expect(await lines(folder, 'domain', 'add', 'example.org')).toEqual([
      'Domain example.org is active with id 1.',
    ]);
    await lines(folder, 'domain', 'add', 'second.test');
    await lines(folder, 'domain', 'disable', 'second.test');
    await lines(folder, 'domain', 'add', 'third.test');
    await lines(folder, 'domain', 'remove', 'third.test');
    expect(await activeDomains(await start(folder))).toEqual(['example.org']);
  });

  it('work after a kill that left the socket behind', async () => {
    const folder = await useDataFolder();
    const mayfly = await start(folder);
    await mayfly.stop('SIGKILL');
    expect(await lines(folder, 'domain', 'list')).toHaveLength(2);
    expect(await activeDomains(await start(folder))).toEqual(['mayfly.test']);
    expect(await lines(folder, 'domain', 'list')).toHaveLength(2);
  });
});

describe('a refused command', () => {
  it('ends with status 1 and one line, running or stopped', async () => {
    const folder = await useDataFolder();
    const stopped = await refusal(folder, 'domain', 'remove', 'nowhere.test');
    expect(stopped).toBe('mayfly: There is no domain nowhere.test.\n');
    await start(folder);
    expect(await refusal(folder, 'domain', 'remove', 'nowhere.test')).toBe(stopped);
    expect(await refusal(folder, 'domain', 'disable', 'nowhere.test')).toBe(stopped);
    expect(await refusal(folder, 'domain', 'add', 'not a domain')).toMatch(
      /^mayfly: "not a domain" is not [^\n]*\n$/,
    );
    expect(await refusal(folder, 'domain', 'add', `${'d'.repeat(64)}.test`)).toMatch(/^mayfly: [^\n]*\n$/);
  });

  it.each([[['dance']], [['domain', 'add', 'a.test', 'b.test']]])(
    '%j is wrong usage: status 64 and a line that points to the help',
    async (words) => {
      const { status, stdout, stderr } = await runMayfly(await useDataFolder(), words);
      expect({ status, stdout }).toEqual({ status: 64, stdout: '' });
      expect(stderr).toMatch(/^mayfly: [^\n]+ See `mayfly help`\.\n$/);
    },
  );

  it.each([
    [['domain']],
    [['domain', 'dance']],
    [['domain', 'add']],
    [['domain', 'list', 'a.test']],
    [['domain', 'remove']],
    [['domain', 'remove', 'a.test', '--quarantine', '5']],
    [['domain', 'add', 'a.test', '--quarantine']],
    [['domain', 'add', 'a.test', '--quarantine', 'long']],
    [['domain', 'add', 'a.test', '--quarantine', '-1']],
    [['serve', 'now']],
    [['serve', '--port', '1']],
    [['version', '--quarantine', '1']],
  ])('%j is wrong usage too', (words) => {
    expect(() => parseArguments(words)).toThrow(UsageError);
  });
});

describe('a command’s description', () => {
  it('help lists the commands', async () => {
    const folder = await useDataFolder();
    const help = await lines(folder, 'help');
    for (const words of [
      'serve',
      'domain add',
      'domain list',
      'domain disable',
      'domain remove',
      'version',
    ]) {
      expect(help.some((line) => line.trim().startsWith(words))).toBe(true);
    }
    expect(await lines(folder)).toEqual(help);
    expect(parseArguments(['--help'])).toEqual({ kind: 'help' });
    expect(parseArguments(['-h'])).toEqual({ kind: 'help' });
  });

  it('version is one line', async () => {
    const folder = await useDataFolder();
    expect(await lines(folder, 'version')).toEqual([expect.stringMatching(/^mayfly \d+\.\d+\.\d+$/)]);
    expect(parseArguments(['--version'])).toEqual({ kind: 'version' });
  });
});
