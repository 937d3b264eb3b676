// `mayfly doctor` against a running service, over a name server of the test.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

import { expect, it } from 'vitest';

import { eventually } from '../support/eventually.ts';
import { startDns } from '../support/servers/dns-zone.ts';
import { freePort } from '../support/servers/free-port.ts';
import { useDataFolder, useMayfly } from '../support/service/mayfly-fixture.ts';
import { environment, runMayfly } from '../support/service/mayfly-process.ts';
import { connectGreeted } from '../support/smtp/smtp-client.ts';

interface Found {
  readonly check: string;
  readonly state: string;
  readonly what: string;
  readonly fix: string | null;
}

function findIn(report: string, check: string): Found | undefined {
  const { findings } = JSON.parse(report) as { readonly findings: readonly Found[] };
  return findings.find((one) => one.check === check);
}

async function open(settings: Readonly<Record<string, string>> = {}) {
  const dns = await startDns({
    'MX example.org': 'mx.example.org',
    'A mx.example.org': '127.0.0.1',
    'TXT example.org': 'v=spf1 -all',
    'TXT _dmarc.example.org': 'v=DMARC1; p=reject',
  });
  const folder = await useDataFolder();
  const port = await freePort();
  const all = {
    MAYFLY_DOMAINS: 'example.org',
    MAYFLY_SMTP_HOSTNAME: 'mx.example.org',
    MAYFLY_DNS_SERVERS: dns.server,
    MAYFLY_HTTP_PORT: String(port),
    MAYFLY_HTTP_PUBLIC_URL: `http://127.0.0.1:${port}`,
    ...settings,
  };
  const mayfly = await useMayfly(folder, all);
  const examine = async (): Promise<string> => (await runMayfly(folder, ['doctor', '--json'], all)).stdout;
  return { dns, folder, all, mayfly, examine };
}

it('waits for a mail from elsewhere to the address that it prints, and examines everything', async () => {
  const { folder, all, mayfly } = await open();
  const args = [...['bin/mayfly.mjs', 'doctor'], '--mail'];
  const child = spawn(process.execPath, args, {
    env: environment(folder, all),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = text(child.stdout);
  let printed = '';
  child.stderr.on('data', (bytes: Buffer) => (printed += bytes.toString()));
  const address = await eventually(
    () => Promise.resolve(/doctor-\w+@example\.org/.exec(printed)?.[0]),
    'the address is printed',
  );
  const { client } = await connectGreeted(mayfly.smtpPort);
  await client.command('EHLO sender.example');
  expect(await client.deliver('Subject: Is anyone there?\r\n\r\nHello.\r\n', address)).toMatch(/^250 /);
  expect(await once(child, 'exit')).toEqual([1, null]);
  const report = await output;
  expect(report).toMatch(/^ok {7}The service runs and takes mail\.$/m);
  expect(report).toMatch(/^ok {7}MX names mx\.example\.org\.$/m);
  expect(report).toMatch(
    /^FAILED {3}mx\.example\.org has the addresses 127\.0\.0\.1: no other host can send mail there\.\n {9}Let /m,
  );
  // From this machine itself, it shows nothing of the way from outside.
  expect(report).toMatch(/^unknown {2}No mail from outside has come/m);
  expect(report.trimEnd().split('\n').at(-1)).toMatch(/^Not green: \d+ failed, .* of \d+ checks\.$/);
});

it('sees its own request for the page, and a proxy that does not name its clients', async () => {
  const direct = await open();
  expect(findIn(await direct.examine(), 'page')).toMatchObject({
    what: expect.stringContaining('not encrypted') as string,
  });
  expect(findIn(await direct.examine(), 'proxy')).toMatchObject({ state: 'ok' });
  const behind = await open({ MAYFLY_HTTP_TRUSTED_PROXIES: '127.0.0.1' });
  expect(findIn(await behind.examine(), 'proxy')).toMatchObject({
    state: 'failed',
    what: expect.stringContaining('The proxy 127.0.0.1 does not send x-forwarded-for') as string,
  });
});

it('says that another server has the page, that no service runs, and when a backup was made', async () => {
  const other = await open();
  const elsewhere = await open({ MAYFLY_HTTP_PUBLIC_URL: other.all.MAYFLY_HTTP_PUBLIC_URL });
  expect(findIn(await elsewhere.examine(), 'page')).toMatchObject({
    state: 'failed',
    what: expect.stringContaining('answered by another server') as string,
  });
  expect(findIn(await elsewhere.examine(), 'backup')).toMatchObject({ state: 'warning' });
  const target = `${await useDataFolder()}/backup`;
  expect((await runMayfly(elsewhere.folder, ['backup', target], elsewhere.all)).status).toBe(0);
  expect(findIn(await elsewhere.examine(), 'backup')).toMatchObject({ state: 'ok' });
  await elsewhere.mayfly.stop();
  expect(findIn(await elsewhere.examine(), 'service')).toMatchObject({ state: 'failed' });
});
