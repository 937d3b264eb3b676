// The test's own Dovecot: configuration, mail, log and port are in a temporary folder; the machine's own Dovecot, if
// any, is not touched. All users have the same password and Gmail's folders.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { ImapFlow } from 'imapflow';

import type { Certificate } from '../servers/certificate.ts';
import { freePort } from '../servers/free-port.ts';
import { imapPassword } from './imap-password.ts';
import { runWell } from '../servers/run-program.ts';

export interface Dovecot {
  /** On 127.0.0.1; unencrypted, or with STARTTLS required before login if there is a certificate. */
  readonly port: number;
  /** Implicit TLS, if there is a certificate. */
  readonly tlsPort: number;
  /** Connects a client; it is closed with the server. */
  connect(user: string): Promise<ImapFlow>;
  /** Returns the user's mail folder on disk: a Maildir. */
  maildir(user: string): string;
  readLog(): Promise<string>;
  /** Ends it by its process id and removes its folder. */
  close(): Promise<void>;
}

interface DovecotSettings {
  /** Whether one folder contains all mail, as in Gmail. */
  readonly hasAllMail?: boolean;
  /** Per user; further connections are refused. */
  readonly maxConnections?: number;
  /** With one, login requires TLS. */
  readonly certificate?: Certificate;
}

/** Dovecot refuses root logins, and only root can change to another user. */
const mailUser =
  userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : { uid: userInfo().uid, gid: userInfo().gid };
const runUser =
  userInfo().uid === 0
    ? { internal: 'dovecot', login: 'dovenull' }
    : { internal: userInfo().username, login: userInfo().username };

interface Ports {
  readonly port: number;
  readonly tlsPort: number;
}

function configuration(folder: string, { port, tlsPort }: Ports, settings: DovecotSettings): string {
  const { hasAllMail = false, maxConnections = 10, certificate } = settings;
  const mailbox = (name: string, use: string): string[] => [
    `  mailbox "${name}" {`,
    `    special_use = ${use}`,
    '    auto = create',
    '  }',
  ];
  return [
    `base_dir = ${folder}/run`,
    `state_dir = ${folder}/state`,
    `log_path = ${folder}/log`,
    'protocols = imap',
    ...(certificate
      ? ['ssl = required', `ssl_cert = <${folder}/cert.pem`, `ssl_key = <${folder}/key.pem`]
      : ['ssl = no', 'disable_plaintext_auth = no']),
    'listen = 127.0.0.1',
    `default_internal_user = ${runUser.internal}`,
    `default_login_user = ${runUser.login}`,
    'default_internal_group = ' + (userInfo().uid === 0 ? 'dovecot' : String(mailUser.gid)),
    'first_valid_uid = 1',
    'first_valid_gid = 1',
    `mail_location = maildir:${folder}/mail/%u`,
    'recipient_delimiter = +',
    `mail_max_userip_connections = ${maxConnections}`,
    'mailbox_idle_check_interval = 2 secs',
    'auth_failure_delay = 0',
    'passdb {',
    '  driver = static',
    `  args = password=${imapPassword}`,
    '}',
    'userdb {',
    '  driver = static',
    `  args = uid=${mailUser.uid} gid=${mailUser.gid} home=${folder}/mail/%u`,
    '}',
    'service imap-login {',
    '  chroot =',
    `  inet_listener imap {\n    port = ${port}\n  }`,
    `  inet_listener imaps {\n    port = ${tlsPort}\n    ssl = yes\n  }`,
    '}',
    'service anvil {\n  chroot =\n}',
    'namespace inbox {',
    '  inbox = yes',
    '  separator = /',
    ...mailbox('Spam', '\\Junk'),
    ...mailbox('Bin', '\\Trash'),
    ...(hasAllMail ? mailbox('All Mail', '\\All') : []),
    '}',
    '',
  ].join('\n');
}

export async function startDovecot(settings: DovecotSettings = {}): Promise<Dovecot> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-dovecot-'));
  const port = await freePort();
  const tlsPort = settings.certificate ? await freePort() : 0;
  await chmod(folder, 0o755);
  for (const name of ['run', 'state', 'mail']) await mkdir(path.join(folder, name), { mode: 0o755 });
  if (userInfo().uid === 0) {
    await runWell('chown', [`${mailUser.uid}:${mailUser.gid}`, path.join(folder, 'mail')]);
  }
  const file = path.join(folder, 'dovecot.conf');
  await writeFile(file, configuration(folder, { port, tlsPort }, settings));
  if (settings.certificate) {
    await writeFile(path.join(folder, 'cert.pem'), settings.certificate.cert);
    await writeFile(path.join(folder, 'key.pem'), settings.certificate.key, { mode: 0o600 });
  }
  const child = spawn('dovecot', ['-F', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: `${process.env['PATH']}:/usr/sbin` },
  });
  const clients: ImapFlow[] = [];
  const readLog = (): Promise<string> => readFile(path.join(folder, 'log'), 'utf8');
  await untilListening(port, child, readLog);
  return {
    port,
    tlsPort,
    connect: async (user) => {
      const client = new ImapFlow({
        host: '127.0.0.1',
        port,
        secure: false,
        doSTARTTLS: settings.certificate !== undefined,
        tls: { rejectUnauthorized: false },
        logger: false,
        disableAutoIdle: true,
        auth: { user, pass: imapPassword },
      });
      client.on('error', () => {
        client.close();
      });
      clients.push(client);
      await client.connect();
      return client;
    },
    maildir: (user) => path.join(folder, 'mail', user),
    readLog,
    close: async () => {
      for (const client of clients) client.close();
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit');
        child.kill('SIGTERM');
        await exited;
      }
      await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function untilListening(
  port: number,
  child: ChildProcess,
  readLog: () => Promise<string>,
): Promise<void> {
  let output = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  for (let attempt = 0; attempt < 400; attempt++) {
    if (child.exitCode !== null) {
      const log = await readLog().catch((error: unknown) => String(error));
      throw new Error(`dovecot ended with ${child.exitCode}: ${output} ${log}`);
    }
    const socket = connect(port, '127.0.0.1');
    const isThere = await new Promise<boolean>((resolve) => {
      socket.once('data', () => {
        resolve(true);
      });
      socket.once('error', () => {
        resolve(false);
      });
    });
    socket.destroy();
    if (isThere) return;
    await delay(50);
  }
  throw new Error('dovecot does not answer');
}
