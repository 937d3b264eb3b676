// The CPU time of processes and all their descendants, as the kernel counts it (proc(5), /proc/pid/stat). Unlike a rate
// it hardly depends on what else the machine does.
import { readdirSync, readFileSync } from 'node:fs';

/** `getconf CLK_TCK`, 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Stat {
  readonly parent: number;
  readonly ticks: number;
}

/** Returns the seconds of the processes and their descendants, including those that have ended. */
export function readCpuSeconds(...pids: readonly number[]): number {
  const stats = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (stat) stats.set(Number(name), stat);
  }
  let ticks = 0;
  for (const [id, stat] of stats) if (isBelow(id, pids, stats)) ticks += stat.ticks;
  return ticks / ticksPerSecond;
}

function isBelow(id: number, roots: readonly number[], stats: ReadonlyMap<number, Stat>): boolean {
  for (let at: number | undefined = id; at !== undefined && at > 1; at = stats.get(at)?.parent) {
    if (roots.includes(at)) return true;
  }
  return false;
}

/** Returns undefined if the process is gone. */
function readStat(pid: string): Stat | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The fields after the name, which may contain anything: state, parent, …; utime, stime, cutime and cstime are
  // fields 14 to 17.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), ticks };
}
