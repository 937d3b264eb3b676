// `mayfly quickstart` on a bare Debian, in a layer over this system's root with a network of its own: a name server whose
// zone is what quickstart printed, Pebble as the certificate authority, and the Debian package.

import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { makeAuthority } from '../support/servers/certificate.ts';
import { runProgram, runWell } from '../support/servers/run-program.ts';

let place = '';

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-quickstart-'));
  const arch = (await runWell('dpkg', ['--print-architecture'])).trim();
  await runWell(process.execPath, ['scripts/release.mjs', 'deb', place, '--arch', arch]);
  const world = path.join(place, 'world');
  await mkdir(world);
  for (const name of ['systemctl.py', 'world.sh']) {
    await cp(path.join('test/support/quickstart', name), path.join(world, name));
  }
  await cp('node_modules/.test-pebble/pebble', path.join(world, 'pebble'));
  const authority = makeAuthority();
  const { cert, key } = authority.issue('localhost');
  await writeFile(path.join(world, 'ca.pem'), authority.cert);
  await writeFile(path.join(world, 'cert.pem'), cert);
  await writeFile(path.join(world, 'key.pem'), key);
  await writeFile(path.join(world, 'pebble.json'), JSON.stringify({ pebble: pebbleConfig }));
}, 600_000);
afterAll(() => rm(place, { recursive: true }));

const pebbleConfig = {
  listenAddress: '127.0.0.1:14000',
  managementListenAddress: '127.0.0.1:15000',
  certificate: '/srv/world/cert.pem',
  privateKey: '/srv/world/key.pem',
  httpPort: 80,
  tlsPort: 443,
  ocspResponderURL: '',
  retryAfter: { authz: 1, order: 1 },
  keyAlgorithm: 'ecdsa',
  profiles: { default: { description: 'ninety days', validityPeriod: 7_776_000 } },
};

const layer =
  'mount -t tmpfs tmpfs "$1" && mkdir "$1/upper" "$1/work" "$1/root" && ' +
  'mount -t overlay overlay -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work" "$1/root" && ' +
  'cp "$2" "$1/root/package.deb" && mkdir -p "$1/root/srv" && cp -r "$3" "$1/root/srv/world" && ' +
  'mount -t proc proc "$1/root/proc" && mount --rbind /dev "$1/root/dev" && mount -t tmpfs tmpfs "$1/root/run" && ' +
  'mount -t tmpfs tmpfs "$1/root/tmp" && exec chroot "$1/root" sh -euc ". /srv/world/world.sh; $4"';

/** Runs the script as root in a fresh layer, after the world around it has begun. */
async function runInWorld(script: string): Promise<string> {
  const names = await readdir(place);
  const deb = path.join(place, names.find((name) => name.endsWith('.deb')) ?? '');
  const rights = process.getuid?.() === 0 ? [] : ['sudo', '--non-interactive'];
  const [program = '', ...args] = [
    ...rights,
    ...['unshare', '--mount', '--net', '--pid', '--fork', '--kill-child', 'sh', '-euc', layer, 'sh'],
    ...[await mkdtemp(path.join(place, 'layer-')), deb, path.join(place, 'world'), script],
  ];
  const { status, stdout, stderr } = await runProgram(program, args, {});
  expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  return stdout;
}

it('goes from a bare server to HTTPS that verifies and a mail that is read, in one command and a minute', async () => {
  const output = await runInWorld(`
    dpkg --install /package.deb > /dev/null
    publish &
    from=$(seconds)
    begin
    echo "took $(seconds) - $from" | awk '{ print "took", $2 - $4 }'
    curl --silent --fail --cacert /srv/world/root.pem https://mail.example.org/domains
    echo again
    begin > /srv/again
    grep --count '^set ' /srv/again || true
    cat /srv/again
  `);
  const [first = '', second = ''] = output.split('again\n');
  expect(first).toContain('ok       a mail through the public MX, and its code');
  expect(Number(/^took ([\d.]+)$/m.exec(first)?.[1])).toBeLessThan(60);
  expect(first).toContain('"domain":"example.org"');
  // Only a mail from another network can show that port 25 is open on the way.
  expect(first).toMatch(/Not green: 1 not checked, of \d+ checks\./);
  expect(first).toMatch(/Next: Run `mayfly doctor --mail`/);
  expect(second).toMatch(/^0\n/);
}, 300_000);

/** The program alone, as from npm: quickstart writes the command and the units. */
const byHand = `
  dpkg-deb --extract /package.deb /srv/package
  cp -r /srv/package/opt/mayfly /opt/mayfly
  mayfly() { /opt/mayfly/runtime/node /opt/mayfly/bin/mayfly.mjs "$@"; }
`;

it('undoes what it did when it fails half-way, and goes on from there when it is run again', async () => {
  const output = await runInWorld(`${byHand}
    publish &
    mkdir -p /run/units && touch /run/units/refuse
    begin > /srv/failed 2>&1 && exit 1
    cat /srv/failed
    getent passwd mayfly && exit 1
    find /etc/mayfly /var/lib/mayfly /var/lib/mayfly-backup /usr/local/bin/mayfly /etc/systemd/system \\
      -name '*mayfly*' 2> /dev/null || true
    echo undone
    rm /run/units/refuse
    begin
    unset -f mayfly
    mayfly domain list
    runuser -u nobody -- mayfly version
  `);
  const [failed = '', after = ''] = output.split('\nundone\n');
  expect(failed).toMatch(/the service: .*mayfly\.service` failed: .*What was done is undone\.$/m);
  expect(failed.split('\n').filter((line) => line.startsWith('undone'))).not.toEqual([]);
  // Nothing is left.
  expect(failed.trimEnd().split('\n').at(-1)).toMatch(/undone\.$/);
  expect(after).toContain('ok       a mail through the public MX, and its code');
  expect(after).toMatch(/^1 +example\.org +active/m);
}, 300_000);

it('changes nothing while another program has one of the ports, and names the port', async () => {
  const output = await runInWorld(`${byHand}
    python3 -c 'import socket, time; held = socket.create_server(("", 25)); time.sleep(100)' &
    until ss -ltn | grep -q ':25 '; do sleep 0.1; done
    begin > /srv/failed 2>&1 && exit 1
    cat /srv/failed
    test ! -e /etc/mayfly
    getent passwd mayfly && exit 1
    echo unchanged
  `);
  expect(output).toMatch(/Port 25 is in use by another program/);
  expect(output).toMatch(/unchanged\n$/);
}, 300_000);

it('gives the first administrator a link that works once, and ends with the missing records when they stay away', async () => {
  const output = await runInWorld(`
    dpkg --install /package.deb > /dev/null
    begin --wait 0 > /srv/waiting 2>&1 && exit 1
    tail -n 1 /srv/waiting
    publish
    begin > /srv/done
    code=$(sed -n 's/.*#link=//p' /srv/done)
    redeem() { curl --silent --data "code=$code" http://127.0.0.1:8081/admin/redeem-link; }
    redeem; redeem
    find /var/lib/mayfly-backup -name backup.json | wc -l
    mayfly doctor || true
  `);
  expect(output).toMatch(
    /^Next: Publish the records that are missing, then run: mayfly quickstart example\.org\n/,
  );
  expect(output).toMatch(/"key":"mfa_[^]*"code":"invalid_api_key"/);
  expect(output).toMatch(/^1$/m);
  expect(output).toMatch(/Not green: 1 not checked/);
}, 300_000);
