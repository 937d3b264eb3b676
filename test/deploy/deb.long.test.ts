// The Debian package: installed with dpkg into a layer over this system's root, which the test alone sees; started as its
// unit says; and purged.

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runWell } from '../support/servers/run-program.ts';

let place = '';
const file = (arch: string): Promise<string> =>
  readdir(place).then((names) => path.join(place, names.find((name) => name.endsWith(`_${arch}.deb`)) ?? ''));

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-deb-test-'));
  for (const arch of ['amd64', 'arm64']) {
    await runWell(process.execPath, ['scripts/release.mjs', 'deb', place, '--arch', arch]);
  }
}, 600_000);
afterAll(() => rm(place, { recursive: true }));

it.each([
  ['amd64', 'X86-64'],
  ['arm64', 'AArch64'],
])('holds the programs of %s and of no other', async (arch, machine) => {
  const folder = path.join(place, arch);
  await runWell('dpkg-deb', ['--extract', await file(arch), folder]);
  const native = (await readdir(folder, { recursive: true })).filter((name) =>
    /\.node$|runtime\/node$/.test(name),
  );
  expect(native).toHaveLength(2);
  for (const name of native) {
    expect(await runWell('readelf', ['--file-header', path.join(folder, name)])).toContain(machine);
  }
  expect(await runWell('dpkg-deb', ['--field', await file(arch), 'Architecture'])).toBe(`${arch}\n`);
});

/** Runs in the layer as root; the package is there as /package.deb. */
const script = `
dpkg --install /package.deb
test "$(stat --format '%U %a' /var/lib/mayfly)" = 'mayfly 700'
test "$(stat --format '%U %G %a' /etc/mayfly)" = 'root mayfly 750'
test "$(stat --format '%U %a' /etc/mayfly/mayfly.env)" = 'root 600'
systemd-analyze verify /usr/lib/systemd/system/mayfly.service
mayfly version
runuser -u nobody -- mayfly version
. /etc/mayfly/mayfly.env
command=$(sed -n 's/^ExecStart=//p' /usr/lib/systemd/system/mayfly.service)
cd /
setpriv --reuid mayfly --regid mayfly --init-groups env -i NODE_ENV=production MAYFLY_DATA_DIR=/var/lib/mayfly MAYFLY_HTTP_PORT=18080 \\
  MAYFLY_SMTP_PORT=12525 MAYFLY_DOMAINS="$MAYFLY_DOMAINS" MAYFLY_SMTP_HOSTNAME="$MAYFLY_SMTP_HOSTNAME" \\
  MAYFLY_HTTP_PUBLIC_URL="$MAYFLY_HTTP_PUBLIC_URL" MAYFLY_HTTP_TRUSTED_PROXIES="$MAYFLY_HTTP_TRUSTED_PROXIES" \\
  $command &
/opt/mayfly/runtime/node /smoke-test.mjs --http http://127.0.0.1:18080 --smtp 127.0.0.1:12525
mayfly domain list
kill $!
wait $!
dpkg --install /package.deb
test -d /var/lib/mayfly
dpkg --purge mayfly
test ! -e /opt/mayfly && test ! -e /usr/bin/mayfly && test ! -e /etc/mayfly && test ! -e /var/lib/mayfly
echo all done
`;

it('is installed, started as its unit says, takes mail, is upgraded and purged', async () => {
  const layer =
    'mount -t tmpfs tmpfs "$1" && mkdir "$1/upper" "$1/work" "$1/root" && ' +
    'mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root" && ' +
    'cp "$2" "$1/root/package.deb" && cp scripts/smoke-test.mjs "$1/root/" && ' +
    'mount -t proc proc "$1/root/proc" && mount --rbind /dev "$1/root/dev" && ip link set lo up && ' +
    'exec chroot "$1/root" sh -euc "$3"';
  const arch = (await runWell('dpkg', ['--print-architecture'])).trim();
  const rights = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  const [program = '', ...args] = [
    ...rights,
    ...['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-euc', layer, 'sh'],
    ...[await mkdtemp(path.join(place, 'layer-')), await file(arch), script],
  ];
  expect(await runWell(program, args)).toMatch(/a mail came in[^]*example\.org[^]*all done\n$/);
});
