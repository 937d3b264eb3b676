// The machine: clock, descriptors, disk, files, backups, versions.

import type { ServerFacts } from '../facts.ts';
import { type Finding, findingsOf, listNames } from '../finding.ts';

const day = 24 * 60 * 60 * 1000;
const clockOffMs = 5000;
const clockFarOffMs = 60_000;
const descriptorsMin = 8192;
const syncSlowMs = 50;
const syncFailingMs = 500;
const backupOldMs = 2 * day;

export function checkService({ service }: ServerFacts): Finding {
  const found = findingsOf('service');
  if (service === 'running') return found.ok('The service runs and takes mail.');
  return service === 'stopped'
    ? found.failed('No service runs on the data folder.', 'Start it: `systemctl start mayfly`.')
    : found.failed(`The service is not ready: ${service.unready}.`, 'See its log: `journalctl -u mayfly`.');
}

export function checkClock({ clockAheadMs: ahead, now }: ServerFacts): Finding {
  const found = findingsOf('clock');
  const synchronise = 'Install and start a time service, such as systemd-timesyncd.';
  if (ahead === undefined) {
    return found.unknown(
      'The clock could not be compared with another.',
      'Let HTTPS to the certificate authority through.',
    );
  }
  if (ahead === 'invalid') {
    return found.failed(
      `By this machine’s clock, ${new Date(now).toISOString()}, the certificate authority’s certificate is not valid.`,
      synchronise,
    );
  }
  const off = Math.abs(ahead);
  const words = `The clock is ${Math.round(off / 1000)} s ${ahead > 0 ? 'behind' : 'ahead'}`;
  if (off > clockFarOffMs) return found.failed(`${words}, so certificates and signatures fail.`, synchronise);
  return off > clockOffMs ? found.warning(`${words}.`, synchronise) : found.ok('The clock is right.');
}

export function checkDescriptors({ descriptors }: ServerFacts): Finding {
  const found = findingsOf('descriptors');
  if (descriptors === 'unknown') return found.unknown('The limit of descriptors is not known.', 'Use Linux.');
  const { open, limit } = descriptors;
  const raise = 'Set LimitNOFILE=200000 in the unit, or `ulimit -n`.';
  if (open > limit * 0.8) return found.failed(`${open} of ${limit} descriptors are open.`, raise);
  return limit < descriptorsMin
    ? found.warning(`Only ${limit} descriptors may be open, so connections are limited.`, raise)
    : found.ok(`${open} of ${limit} descriptors are open.`);
}

export function checkDisk({ disk, database }: ServerFacts): Finding {
  const found = findingsOf('disk');
  if (disk === 'unknown') {
    return found.unknown('The space of the data folder is not known.', 'Check that it is there.');
  }
  const { folder, kind, freeBytes, totalBytes, freeInodes, floorBytes } = disk;
  if (kind === 'memory') {
    return found.failed(
      `The data folder ${folder} is in memory: all of it is lost when this machine stops.`,
      'Set MAYFLY_DATA_DIR to a folder on a disk, or mount one there.',
    );
  }
  const local = 'Put it on a local disk, or use PostgreSQL (MAYFLY_STORE_URL).';
  if (kind === 'network' && database === undefined) {
    return found.failed(
      `The data folder ${folder} is on a network file system, which may lose or ruin the store.`,
      local,
    );
  }
  const make = 'Make room, or move the data folder to a larger disk.';
  const words = `${toSize(freeBytes)} of ${toSize(totalBytes)} are free for ${folder}`;
  if (freeBytes <= floorBytes) return found.failed(`${words}: no more mail is accepted.`, make);
  if (freeInodes < 0.02) {
    return found.failed(`The file system of ${folder} can hold hardly any more files.`, make);
  }
  if (kind === 'fuse' && database === undefined) {
    return found.warning(
      `The data folder ${folder} is on a file system that a program provides (FUSE), such as sshfs; it may lose or ruin the store.`,
      local,
    );
  }
  return freeBytes < 3 * floorBytes || freeBytes < totalBytes * 0.05
    ? found.warning(`Only ${words}.`, make)
    : found.ok(`${words}.`);
}

function toSize(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

export function checkSync({ syncMs }: ServerFacts): Finding {
  const found = findingsOf('sync');
  if (syncMs === 'unknown') {
    return found.failed('The data folder cannot be written.', 'Check its owner and the disk.');
  }
  const words = `A sync takes ${syncMs < 10 ? syncMs.toFixed(1) : Math.round(syncMs)} ms`;
  const faster = 'Put the data folder on a local solid-state disk.';
  if (syncMs > syncFailingMs) return found.failed(`${words}, so hardly any mail is taken.`, faster);
  return syncMs > syncSlowMs
    ? found.warning(`${words}, and each mail waits for one.`, faster)
    : found.ok(`${words}.`);
}

export function checkFiles({ exposed, exposedFiles }: ServerFacts): Finding {
  const found = findingsOf('files');
  if (exposed === 'unknown') {
    return found.unknown('The files of the data folder cannot be looked at.', 'Check its owner.');
  }
  // A group may be how the service reads a file.
  const commands = [
    ...exposed.map((folder) => `chmod go= ${folder}`),
    ...exposedFiles.map((file) => `chmod o= ${file}`),
  ];
  return commands.length === 0
    ? found.ok('Other users cannot read the data folder, nor files of secrets.')
    : found.warning(
        `Other users of this machine can read ${listNames([...exposed, ...exposedFiles])}.`,
        `Run: ${commands.join('; ')}`,
      );
}

export function checkBackup({ backup, now }: ServerFacts): Finding {
  const found = findingsOf('backup');
  if (!backup) {
    return found.warning(
      'No backup has been made.',
      'Run `mayfly backup FOLDER` every night, as docs/operations.md shows.',
    );
  }
  const age = now - backup.madeAt;
  const time = new Date(backup.madeAt).toISOString().slice(0, 16).replace('T', ' ');
  if (age < -day) {
    return found.warning(`The last backup is of the future, ${time}.`, 'Check the clock of this server.');
  }
  return age > backupOldMs
    ? found.warning(
        `The last backup is ${Math.floor(age / day)} days old, of ${time}.`,
        'See why the nightly one fails: `journalctl -u mayfly-backup`.',
      )
    : found.ok(`The last backup is of ${time}, in ${backup.folder}.`);
}

/** Major versions of Node.js → when security fixes for them end. */
const nodeEnds: Readonly<Record<string, string>> = {
  '20': '2026-04-30',
  '22': '2027-04-30',
  '24': '2028-04-30',
  '26': '2029-04-30',
};

export function checkVersion({ version: { running, installed, node }, now }: ServerFacts): Finding {
  const found = findingsOf('version');
  if (running !== installed) {
    return found.warning(
      `The service is version ${running}, and ${installed} is installed.`,
      'Restart it: `systemctl restart mayfly`.',
    );
  }
  const end = nodeEnds[/^v?(\d+)/.exec(node)?.[1] ?? ''];
  return end === undefined || now < Date.parse(end)
    ? found.ok(`Mayfly ${running} on Node.js ${node}.`)
    : found.warning(
        `Node.js ${node} gets no security fixes since ${end}.`,
        'Install a newer one, or the Debian package, which brings it.',
      );
}
