// Faults of the machine and of what an operator supplies: disk, database, files, certificates, clock, limits.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { examineWith, faulty } from '../../../test/support/doctor/examine-with.ts';
import {
  certificateOf,
  day,
  type Fault,
  host,
  rightPolicy,
  rightServer,
} from '../../../test/support/doctor/right-server.ts';
import { makeCertificate } from '../../../test/support/servers/certificate.ts';
import { collectMachine, fileSystemKindOf } from './collect-machine.ts';
import type { DatabaseFacts, DiskFacts } from './facts.ts';
import type { CheckName } from './finding.ts';

const { now } = rightServer;
const rightDisk = rightServer.disk as DiskFacts;
const diskOf = (change: Partial<DiskFacts>): Fault => ({ server: { disk: { ...rightDisk, ...change } } });
const rightDatabase: DatabaseFacts = { off: [], connections: 20, connectionsMax: 97 };
const databaseOf = (change: Partial<DatabaseFacts>): Fault => ({
  server: { database: { ...rightDatabase, ...change } },
});
const good = certificateOf(host, 60);
const selfSigned = { pem: makeCertificate(host).cert };

const faults: readonly (readonly [name: string, check: CheckName, words: string, fault: Fault])[] = [
  ['a full disk', 'disk', 'no more mail is accepted', diskOf({ freeBytes: 1e8 })],
  ['a file system without inodes', 'disk', 'hardly any more files', diskOf({ freeInodes: 0.001 })],
  ['a data folder in memory', 'disk', 'is in memory', diskOf({ kind: 'memory' })],
  ['a store on a network file system', 'disk', 'network file system', diskOf({ kind: 'network' })],
  ['a store on sshfs', 'disk', 'that a program provides (FUSE)', diskOf({ kind: 'fuse' })],
  ['a data folder that is read-only', 'sync', 'cannot be written', { server: { syncMs: 'unknown' } }],
  ['a slow disk', 'sync', 'A sync takes 80 ms', { server: { syncMs: 80 } }],
  ['a clock that went back by an hour', 'clock', 'is 3600 s behind', { server: { clockAheadMs: 3_600_000 } }],
  ['an AAAA of another host', 'address', '2001:db8::bad', { zone: { [`AAAA ${host}`]: '2001:db8::bad' } }],
  [
    'a certificate for another name',
    'tls',
    `is not for ${host}`,
    { server: { certificate: certificateOf('www.example.org', 60) } },
  ],
  [
    'files of a certificate that do not fit',
    'tls',
    'not used: /c/key.pem is not the key',
    {
      server: {
        certificate: { ...good, fault: '/c/key.pem is not the key of the certificate in /c/cert.pem' },
      },
    },
  ],
  [
    'a chain without the issuer',
    'tls',
    'of its issuer, R3, is missing',
    { server: { certificate: { ...good, missingIssuer: 'R3' } } },
  ],
  [
    'orders of a certificate that fail',
    'tls',
    'could be obtained: port 80 is closed.',
    { server: { certificate: { ...selfSigned, acme: { failure: 'port 80 is closed.' } } } },
  ],
  [
    'a certificate that has not come yet',
    'tls',
    'not there yet',
    { server: { certificate: { ...selfSigned, acme: { failure: undefined } } } },
  ],
  [
    'a backup that is not made any more',
    'backup',
    'is 3 days old',
    { server: { backup: { madeAt: now - 3.5 * day, folder: '/b' } } },
  ],
  ['a database that does not sync', 'database', 'fsync is off', databaseOf({ off: ['fsync'] })],
  [
    'torn pages of the database',
    'database',
    'full_page_writes is off',
    databaseOf({ off: ['full_page_writes'] }),
  ],
  ['a database with few connections', 'database', '90 of 97 connections', databaseOf({ connections: 90 })],
  ['a database that does not answer', 'database', 'could not be read', { server: { database: 'unknown' } }],
  [
    'a file of secrets that all may read',
    'files',
    'can read /etc/mayfly/mayfly.env',
    { server: { exposedFiles: ['/etc/mayfly/mayfly.env'] } },
  ],
  [
    'a limit of 256 descriptors',
    'descriptors',
    'Only 256 descriptors',
    { server: { descriptors: { open: 40, limit: 256 } } },
  ],
  [
    'a policy that names another exchange',
    'mta-sts',
    'does not name mail.example.org',
    {
      policy: {
        ...rightPolicy,
        body: 'version: STSv1\nmode: enforce\nmx: mx2.example.org\nmax_age: 604800\n',
      },
    },
  ],
];

it.each(faults)('names %s, with what to do', async (_name, check, words, fault) => {
  const found = faulty(await examineWith(fault));
  const named = found.find((one) => one.check === check && one.what.includes(words));
  expect(named, JSON.stringify(found)).toMatchObject({
    what: expect.stringMatching(/^[^.].*\.$/) as string,
    fix: expect.stringMatching(/^[A-Z].*\S$/) as string,
  });
});

it.each<[string, Fault]>([
  ['with a database of its own', databaseOf({})],
  [
    'whose data folder, with a database elsewhere, is on the network',
    { server: { disk: { ...rightDisk, kind: 'network' }, database: rightDatabase } },
  ],
  [
    'whose data folder, with a database elsewhere, is on sshfs',
    { server: { disk: { ...rightDisk, kind: 'fuse' }, database: rightDatabase } },
  ],
  [
    'whose certificate comes from an ACME server',
    { server: { certificate: { ...good, acme: { failure: undefined } } } },
  ],
])('finds nothing wrong with a right server %s', async (_name, right) => {
  expect(faulty(await examineWith(right))).toEqual([]);
});

it.each([
  ['tmpfs', 0x01021994, 'memory'],
  ['NFS', 0x6969, 'network'],
  ['a folder that WSL or QEMU share (9p)', 0x01021997, 'network'],
  ['sshfs', 0x65735546, 'fuse'],
  ['ext4', 0xef53, undefined],
  ['overlayfs', 0x794c7630, undefined],
])('tells %s by its number', (_name, type, kind) => {
  expect(fileSystemKindOf(type)).toBe(kind);
});

it('finds files of secrets that others can get at, and leaves those in a closed folder', async () => {
  // Others can enter it, which is not so of every folder for temporary files.
  const folder = mkdtempSync('/tmp/mayfly-secrets-');
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const [open, closed] = [join(folder, 'open'), join(folder, 'closed')];
  const secretFiles = [join(open, 'all'), join(open, 'group'), join(closed, 'all'), join(open, 'none')];
  for (const [place, mode] of [[open, 0o755] as const, [closed, 0o750] as const]) {
    mkdirSync(place);
    writeFileSync(join(place, 'all'), '');
    chmodSync(join(place, 'all'), 0o644);
    chmodSync(place, mode);
  }
  writeFileSync(join(open, 'group'), '', { mode: 0o640 });
  const collect = async () => (await collectMachine({ folder, floorBytes: 0, secretFiles })).exposedFiles;
  // Those of mkdtemp are for the owner alone.
  expect([statSync(folder).mode & 0o777, await collect()]).toEqual([0o700, []]);
  chmodSync(folder, 0o755);
  expect(await collect()).toEqual([join(open, 'all')]);
});
