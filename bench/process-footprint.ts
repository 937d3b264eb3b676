// Memory of a process and disk space of a folder, as the kernel counts them. Linux only: memory is read from /proc.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

export interface Memory {
  readonly residentBytes: number;
  /** The most that was ever resident. */
  readonly peakBytes: number;
}

/** proc(5), /proc/pid/status */
export function readMemory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { residentBytes: readField(status, 'VmRSS'), peakBytes: readField(status, 'VmHWM') };
}

function readField(status: string, name: string): number {
  const kibi = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibi === undefined) throw new Error(`The kernel tells no ${name}.`);
  return Number(kibi) * 1024;
}

/** Space that the files below `folder` take, in whole blocks, not what they claim to be long. */
export function readAllocatedBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0);
}
