// The Debian package: installed with dpkg into a layer over this system's root, which the test alone sees; started as its
// units say, upgraded, removed and purged.

import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { runInLayer } from '../support/servers/root-layer.ts';
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

/**
 * Runs in the layer as root, with the package and a later one, whose example of settings is another. systemctl is a
 * stand-in that starts units as their files say.
 */
const begin = `
install -m 0755 /srv/given/systemctl.py /usr/local/sbin/systemctl
mkdir -p /run/systemd/system
start='mayfly-smtp.socket mayfly-http.socket mayfly-redirect.socket mayfly.service mayfly-backup.timer'
export NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1
node=/opt/mayfly/runtime/node
ask() { curl --silent --fail --insecure "https://127.0.0.1$1"; }
`;

const script = `${begin}
dpkg --install /srv/given/package.deb
test "$(stat --format '%U %a' /var/lib/mayfly)" = 'mayfly 700'
test "$(stat --format '%U %G %a' /etc/mayfly)" = 'root mayfly 2750'
test "$(stat --format '%U %G %a' /etc/mayfly/mayfly.env)" = 'root mayfly 640'
/usr/bin/systemd-analyze verify /usr/lib/systemd/system/mayfly*
mayfly version
runuser -u nobody -- mayfly version
echo MAYFLY_ADMIN_PORT=8081 >> /etc/mayfly/mayfly.env
cp /etc/mayfly/mayfly.env /srv/settings
systemctl enable --now $start
$node /srv/given/smoke-test.mjs --http https://127.0.0.1 --smtp 127.0.0.1:25
token=$(curl --silent --fail --insecure --data prefix=fox https://127.0.0.1/create-session | sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')
swaks --silent 2 --server 127.0.0.1 --from a@example.net --to fox@example.org --header 'Subject: kept over all'
systemctl start mayfly-backup.service
mayfly domain list
mayfly settings | grep --quiet '^MAYFLY_ADMIN_PORT  *8081  */etc/mayfly/mayfly.env$'

echo upgrade
before=$(cat /run/units/mayfly.service.active)
dpkg --install /srv/given/later.deb
test "$(cat /run/units/mayfly.service.active)" != "$before"
cmp /etc/mayfly/mayfly.env /srv/settings
mayfly version
$node /srv/given/smoke-test.mjs --http https://127.0.0.1 --smtp 127.0.0.1:25
ask "/check-mail?token=$token"

echo removal
dpkg --remove mayfly
test ! -e /opt/mayfly && test ! -e /usr/bin/mayfly && test ! -e /usr/lib/systemd/system/mayfly.service
systemctl is-active mayfly.service && exit 1
systemctl is-enabled mayfly.service && exit 1
ask /domains && exit 1
cmp /etc/mayfly/mayfly.env /srv/settings
test -e /var/lib/mayfly/server.key
dpkg --install /srv/given/later.deb
cmp /etc/mayfly/mayfly.env /srv/settings
systemctl enable --now $start
$node /srv/given/smoke-test.mjs --http https://127.0.0.1 --smtp 127.0.0.1:25
ask "/check-mail?token=$token"

echo purge
dpkg --purge mayfly
test ! -e /opt/mayfly && test ! -e /usr/bin/mayfly && test ! -e /etc/mayfly && test ! -e /var/lib/mayfly
find /var/lib/mayfly-backup -name backup.json | grep --count .
echo all done
`;

it('starts as its units say, takes mail, and keeps settings and mail through upgrade and removal', async () => {
  const arch = (await runWell('dpkg', ['--print-architecture'])).trim();
  const given = path.join(place, 'given');
  await mkdir(given);
  await cp(await file(arch), path.join(given, 'package.deb'));
  await makeLater(path.join(given, 'package.deb'), path.join(given, 'later.deb'));
  for (const name of ['scripts/smoke-test.mjs', 'test/support/quickstart/systemctl.py']) {
    await cp(name, path.join(given, path.basename(name)));
  }
  const { status, stdout, stderr } = await runInLayer(place, given, script);
  expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  const [installed = '', upgraded = '', removed = '', purged = ''] =
    stdout.split(/^(?:upgrade|removal|purge)$/m);
  expect(installed).toMatch(/Set it up with your domain: [^]*a mail came in[^]*example\.org/);
  expect(upgraded).toMatch(/999\.0\.0[^]*a mail came in[^]*kept over all/);
  expect(upgraded).not.toContain('Set it up');
  expect(removed).toMatch(/a mail came in[^]*kept over all/);
  expect(purged).toMatch(/^1\nall done\n$/m);
}, 300_000);

/** The same package as a later version, whose example of settings has changed. */
async function makeLater(from: string, to: string): Promise<void> {
  const tree = path.join(place, 'later');
  await runWell('dpkg-deb', ['--raw-extract', from, tree]);
  await edit(path.join(tree, 'DEBIAN/control'), (text) => text.replace(/^Version: .*$/m, 'Version: 999.0.0'));
  await edit(path.join(tree, 'opt/mayfly/package.json'), (text) =>
    text.replace(/"version": "[^"]*"/, '"version": "999.0.0"'),
  );
  await edit(path.join(tree, 'opt/mayfly/deploy/systemd/mayfly.env'), (text) => `${text}# More.\n`);
  await runWell('dpkg-deb', ['--root-owner-group', '-Znone', '--build', tree, to]);
}

async function edit(name: string, change: (text: string) => string): Promise<void> {
  await writeFile(name, change(await readFile(name, 'utf8')));
}
