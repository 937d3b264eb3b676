// Accounts with implicit TLS or STARTTLS: the certificate decides whether a password is sent at all.

import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

import { type Certificate, makeAuthority } from '../support/servers/certificate.ts';
import { type Dovecot, startDovecot } from '../support/gmail/dovecot.ts';
import { eventually } from '../support/eventually.ts';
import { imapPassword } from '../support/gmail/imap-password.ts';
import { createDataFolder, runMayfly, startMayfly } from '../support/service/mayfly-process.ts';
import { arrivedMail, type Polled, startPolled } from '../support/gmail/polled-account.ts';
import { ScriptedImap } from '../support/gmail/scripted-imap.ts';

const email = 'quiet.fox@gmail.com';
const authority = makeAuthority();

async function serve(certificate: Certificate): Promise<Dovecot> {
  const dovecot = await startDovecot({ hasAllMail: true, certificate });
  onTestFinished(() => dovecot.close());
  return dovecot;
}

const securities = ['tls', 'starttls'] as const;

function poll(
  { port, tlsPort }: Dovecot,
  security: (typeof securities)[number],
  authorities?: string,
): Promise<Polled> {
  return startPolled({
    port: security === 'tls' ? tlsPort : port,
    account: { host: 'localhost', security },
    parts: { certificateAuthorities: authorities },
  });
}

it('mail arrives if the operator’s authority signed the certificate', async () => {
  const dovecot = await serve(authority.issue('localhost'));
  const client = await dovecot.connect(email);
  for (const security of securities) {
    const polled = await poll(dovecot, security, authority.cert);
    await polled.untilHealth('healthy');
    const lent = await polled.lend();
    await client.append('All Mail', arrivedMail(lent.email, 'Sealed'));
    expect(await polled.untilMessages(lent.token, 1)).toEqual(['Sealed']);
    await polled.pollers.close();
  }
  expect(await dovecot.readLog()).toMatch(/Login: user=<quiet\.fox@gmail\.com>.*, TLS,/);
});

it('only certificates of the usual authorities count if the operator names none', async () => {
  const dovecot = await serve(authority.issue('localhost'));
  for (const security of securities) {
    const { detail } = await (await poll(dovecot, security)).untilHealth('failing');
    expect(detail).toMatch(/^TLS failed: /);
  }
});

it.each([
  ['an authority nobody knows', () => makeAuthority().issue('localhost'), /^TLS failed: .*certificate/],
  ['another host', () => authority.issue('mail.elsewhere.example'), /^TLS failed: .*altnames/],
  ['a time that is over', () => authority.issue('localhost', -1), /^TLS failed: certificate has expired/],
])('no login is attempted with a certificate of %s, and the account shows why', async (_, make, reason) => {
  const dovecot = await serve(make());
  for (const security of securities) {
    const polled = await poll(dovecot, security, authority.cert);
    const { detail } = await polled.untilHealth('failing');
    expect(detail).toMatch(reason);
  }
  // Dovecot logs a connection once it is closed.
  const log = await eventually(async () => {
    const now = await dovecot.readLog();
    return now.includes('no auth attempts') ? now : undefined;
  }, 'the connections are in the log');
  expect(log).not.toMatch(/user=<q|auth failed|Login: user/);
});

it.each([
  ['MAYFLY_GMAIL_TLS_CA_FILE', 'active'],
  ['NODE_EXTRA_CA_CERTS', 'active'],
  ['NEITHER', 'TLS failed'],
])('the service and its commands know an authority by %s: %s', async (variable, state) => {
  const dovecot = await serve(authority.issue('localhost'));
  const [data, files] = [await createDataFolder(), await createDataFolder()];
  onTestFinished(data.remove);
  onTestFinished(files.remove);
  const file = (name: string, content: string): string => {
    writeFileSync(join(files.path, name), content);
    return join(files.path, name);
  };
  const settings = {
    MAYFLY_SECRET_KEY_FILE: file('key', randomBytes(32).toString('hex')),
    [variable]: file('authority.pem', authority.cert),
  };
  const mayfly = await startMayfly(data.path, settings);
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  const place = ['--host', 'localhost', '--port', String(dovecot.tlsPort), '--security', 'tls'];
  const password = ['--password-file', file('password', imapPassword)];
  expect((await runMayfly(data.path, ['gmail', 'add', email, ...password, ...place], settings)).status).toBe(
    0,
  );
  await eventually(async () => {
    const { stdout } = await runMayfly(data.path, ['gmail', 'list'], settings);
    return stdout.includes(state) ? true : undefined;
  }, `the account is listed as ${state}`);
  const { status } = await runMayfly(data.path, ['gmail', 'test', email], settings);
  expect(status).toBe(state === 'active' ? 0 : 1);
  expect(mayfly.log).not.toContain(imapPassword);
});

describe('a server without STARTTLS', () => {
  let imap: ScriptedImap;
  beforeEach(async () => {
    imap = await ScriptedImap.start({ capabilities: 'IMAP4rev1 AUTH=PLAIN STARTTLS' });
    return () => imap.close();
  });

  it('gets no password, even if it was removed from its response', async () => {
    await imap.close();
    imap = await ScriptedImap.start({ capabilities: 'IMAP4rev1 AUTH=PLAIN' });
    const polled = await startPolled({ port: imap.port, account: { security: 'starttls' } });
    expect((await polled.untilHealth('failing')).detail).toBe('TLS failed: Server does not support STARTTLS');
    expect(imap.commands.filter((command) => /^(?:LOGIN|AUTHENTICATE)/.test(command))).toEqual([]);
  });

  it('gets no password when it refuses the STARTTLS it offered', async () => {
    imap.onCommand = ({ name, tag }) => (name === 'STARTTLS' ? `${tag} NO not now\r\n` : undefined);
    const polled = await startPolled({ port: imap.port, account: { security: 'starttls' } });
    expect((await polled.untilHealth('failing')).detail).toBe('TLS failed: Server does not support STARTTLS');
    expect(imap.commands.filter((command) => /^(?:LOGIN|AUTHENTICATE)/.test(command))).toEqual([]);
  });
});
