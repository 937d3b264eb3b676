// The test's own Postfix: configuration, queue, log and ports are in a temporary folder; the machine's mail server, if
// any, is not touched. It accepts mail by SMTP and relays all of it to one destination.

import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { freePort } from './free-port.ts';
import { runProgram, runWell } from './run-program.ts';

export interface PostfixRelay {
  /** Its SMTP port, on 127.0.0.1. */
  readonly port: number;
  readLog(): Promise<string>;
  /** Stops this Postfix by the process id in its own folder, and removes the folder. */
  close(): Promise<void>;
}

type PostfixSettings = Readonly<Record<string, string>>;

/** Postfix starts only as root: its daemons drop privileges. */
async function asRoot(program: string, ...args: readonly string[]): Promise<string> {
  if (process.getuid?.() === 0) return runWell(program, args);
  const { status, stdout, stderr } = await runProgram('sudo', ['-n', program, ...args]);
  if (status === 0) return stdout;
  throw new Error(
    `Postfix is tested for real, and starts only as root. Run the tests as root or allow sudo: ${stderr}`,
  );
}

function mainCf(folder: string, relayPort: number, settings: PostfixSettings): string {
  return Object.entries({
    compatibility_level: '3.6',
    queue_directory: `${folder}/queue`,
    data_directory: `${folder}/data`,
    maillog_file: `${folder}/log`,
    maillog_file_prefixes: folder,
    inet_interfaces: '127.0.0.1',
    inet_protocols: 'ipv4',
    myhostname: 'relay.test',
    mydestination: '',
    alias_maps: '',
    local_recipient_maps: '',
    relayhost: `[127.0.0.1]:${relayPort}`,
    mynetworks: '127.0.0.0/8',
    smtp_dns_support_level: 'disabled',
    smtp_host_lookup: 'native',
    message_size_limit: '0',
    mailbox_size_limit: '0',
    local_header_rewrite_clients: '',
    smtputf8_enable: 'yes',
    ...settings,
  })
    .map(([name, value]) => `${name} = ${value}\n`)
    .join('');
}

/** No chroot: the folder has no copy of the system's files. */
function masterCf(port: number): string {
  return [
    `127.0.0.1:${port} inet n - n - - smtpd`,
    'cleanup unix n - n - 0 cleanup',
    'qmgr unix n - n 300 1 qmgr',
    'rewrite unix - - n - - trivial-rewrite',
    'bounce unix - - n - 0 bounce',
    'defer unix - - n - 0 bounce',
    'trace unix - - n - 0 bounce',
    'smtp unix - - n - - smtp',
    'error unix - - n - - error',
    'retry unix - - n - - error',
    'anvil unix - - n - 1 anvil',
    'scache unix - - n - 1 scache',
    'tlsmgr unix - - n 1000? 1 tlsmgr',
    'postlog unix-dgram n - n - 1 postlogd',
    '',
  ].join('\n');
}

/**
 * @param relayPort the destination of all mail, on 127.0.0.1
 * @param settings for main.cf, overriding the defaults
 */
export async function startPostfix(relayPort: number, settings: PostfixSettings = {}): Promise<PostfixRelay> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mayfly-postfix-'));
  const config = path.join(folder, 'config');
  const port = await freePort();
  await chmod(folder, 0o755);
  for (const name of ['config', 'queue', 'data']) await mkdir(path.join(folder, name), { mode: 0o755 });
  await writeFile(path.join(config, 'main.cf'), mainCf(folder, relayPort, settings));
  await writeFile(path.join(config, 'master.cf'), masterCf(port));
  await asRoot('chown', '-R', 'root:root', folder);
  await asRoot('chown', 'postfix', path.join(folder, 'data'));
  const remove = (): Promise<string> => asRoot('rm', '-rf', folder);
  try {
    await asRoot('postfix', '-c', config, 'start');
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    port,
    readLog: () => readFile(path.join(folder, 'log'), 'utf8'),
    close: async () => {
      await asRoot('postfix', '-c', config, 'stop');
      await remove();
    },
  };
}
