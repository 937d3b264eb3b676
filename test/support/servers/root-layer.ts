// Runs a script as root in a layer over this system's root, with a network and processes of its own: what it installs and
// writes is gone afterwards.

import { mkdtemp } from 'node:fs/promises';
import path from 'node:path';

import { type Finished, runProgram } from './run-program.ts';

const makeLayer = [
  'mount -t tmpfs tmpfs "$1" && mkdir "$1/upper" "$1/work" "$1/root"',
  'mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root"',
  'mkdir -p "$1/root/srv/given" && cp -r "$2/." "$1/root/srv/given"',
  'mount -t proc proc "$1/root/proc" && mount --rbind /dev "$1/root/dev"',
  'mount -t tmpfs tmpfs "$1/root/run" && mount -t tmpfs tmpfs "$1/root/tmp"',
  'ip link set lo up',
  'exec chroot "$1/root" env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$3"',
].join(' && ');

/**
 * @param place a folder of the test's own
 * @param given a folder that the script finds as /srv/given
 */
export async function runInLayer(place: string, given: string, script: string): Promise<Finished> {
  const rights = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  const [program = '', ...args] = [
    ...rights,
    ...['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-euc', makeLayer, 'sh'],
    ...[await mkdtemp(path.join(place, 'layer-')), given, script],
  ];
  return runProgram(program, args);
}
