// Memory of a process and disk space of a folder, as the kernel counts them. Only on Linux: memory is read from /proc.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface Memory {
  readonly residentBytes: number;
  /** The largest resident size so far. */
  readonly peakBytes: number;
}

/** proc(5), /proc/pid/status */
export function readMemory(pid: number): Memory {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return { residentBytes: readField(status, 'VmRSS'), peakBytes: readField(status, 'VmHWM') };
}

/** Forgets the peak so far. */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
}

function readField(status: string, name: string): number {
  const kibi = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1];
  if (kibi === undefined) throw new Error(`The kernel does not report ${name}.`);
  return Number(kibi) * 1024;
}

/** Returns the allocated blocks of the files below `folder`, in bytes, rather than their lengths. */
export function readAllocatedBytes(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(path.join(folder, name)).blocks * 512)
    .reduce((sum, bytes) => sum + bytes, 0);
}
