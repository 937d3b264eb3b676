// Facts from the operating system about this process and its data folder.

import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { dirname, join } from 'node:path';

import type { DiskFacts, ServerFacts } from './facts.ts';

export type MachineFacts = Pick<ServerFacts, 'descriptors' | 'disk' | 'syncMs' | 'exposed' | 'exposedFiles'>;

export interface MachineOptions {
  readonly folder: string;
  readonly floorBytes: number;
  /** Elsewhere, absolute. */
  readonly secretFiles: readonly string[];
}

const syncs = 9;
const syncBytes = 4096;

export async function collectMachine(options: MachineOptions): Promise<MachineFacts> {
  const { folder, floorBytes, secretFiles } = options;
  const [descriptors, disk, syncMs, exposed, readable] = await Promise.all([
    readDescriptors(),
    readDisk(folder, floorBytes),
    measureSync(folder),
    listExposed(folder),
    Promise.all(secretFiles.map(isOpenToOthers)),
  ]);
  const exposedFiles = secretFiles.filter((_file, at) => readable[at]);
  return { descriptors, disk, syncMs, exposed, exposedFiles };
}

async function readDescriptors(): Promise<MachineFacts['descriptors']> {
  try {
    const [limits, open] = await Promise.all([
      readFile('/proc/self/limits', 'utf8'),
      readdir('/proc/self/fd'),
    ]);
    const limit = /^Max open files\s+(\d+|unlimited)/m.exec(limits)?.[1] ?? '';
    return { open: open.length, limit: limit === 'unlimited' ? Infinity : Number(limit) };
  } catch {
    // Not Linux, or without /proc.
    return 'unknown';
  }
}

/** By the numbers of statfs(2) on Linux. */
const kinds: ReadonlyMap<number, DiskFacts['kind']> = new Map([
  // tmpfs, ramfs
  [0x01021994, 'memory'],
  [0x858458f6, 'memory'],
  // NFS, SMB 1 to 3, Ceph, AFS
  [0x6969, 'network'],
  [0x517b, 'network'],
  [0xff534d42, 'network'],
  [0xfe534d42, 'network'],
  [0x00c36400, 'network'],
  [0x5346414f, 'network'],
  // Folders of the machine around a virtual one: 9p, of VirtualBox, of VMware
  [0x01021997, 'network'],
  [0x786f4256, 'network'],
  [0xbacbacbc, 'network'],
  // sshfs, rclone, s3fs, virtiofs; also local ones, such as ntfs-3g
  [0x65735546, 'fuse'],
]);

/** @param type of statfs(2) */
export function fileSystemKindOf(type: number): DiskFacts['kind'] {
  return kinds.get(type);
}

export async function readDisk(folder: string, floorBytes: number): Promise<MachineFacts['disk']> {
  try {
    const { type, bavail, blocks, bsize, files, ffree } = await statfs(folder);
    return {
      folder,
      kind: fileSystemKindOf(type),
      freeBytes: bavail * bsize,
      totalBytes: blocks * bsize,
      freeInodes: files === 0 ? 1 : ffree / files,
      floorBytes,
    };
  } catch {
    // It is not there, or not ours: the finding says so.
    return 'unknown';
  }
}

/** Returns the median, in ms: a single one may wait for a write of others. */
async function measureSync(folder: string): Promise<number | 'unknown'> {
  const file = join(folder, `.sync-${randomBytes(6).toString('hex')}`);
  const content = randomBytes(syncBytes);
  const times: number[] = [];
  try {
    const handle = await open(file, 'wx', 0o600);
    try {
      for (let at = 0; at < syncs; at++) {
        await handle.write(content, 0, syncBytes, 0);
        const began = performance.now();
        await handle.datasync();
        times.push(performance.now() - began);
      }
    } finally {
      await handle.close();
      await rm(file, { force: true });
    }
  } catch {
    // The folder refuses writes: the finding says so.
    return 'unknown';
  }
  return times.sort((one, other) => one - other)[Math.floor(syncs / 2)] ?? 'unknown';
}

/** Returns the folder if others can enter or read it; no file in it is then safe by its own mode alone. */
async function listExposed(folder: string): Promise<MachineFacts['exposed']> {
  try {
    return ((await stat(folder)).mode & 0o077) === 0 ? [] : [folder];
  } catch {
    // It is not there, or not ours: the finding says so.
    return 'unknown';
  }
}

/** Whether users outside its group may read a file, and enter every folder above it. */
async function isOpenToOthers(file: string): Promise<boolean> {
  try {
    if (((await stat(file)).mode & 0o004) === 0) return false;
    for (let above = dirname(file); above !== dirname(above); above = dirname(above)) {
      if (((await stat(above)).mode & 0o001) === 0) return false;
    }
    return true;
  } catch {
    // It is not there, or not ours to look at, and so not theirs.
    return false;
  }
}

/** The addresses of this machine that are public, by the given measure. */
export function listOwnAddresses(isPublic: (address: string) => boolean): string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return [...new Set(all.map(({ address }) => address))].filter(isPublic);
}
