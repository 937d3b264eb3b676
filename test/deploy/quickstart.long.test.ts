// `mayfly quickstart` on a bare Debian, in a layer over this system's root with a network of its own: a name server whose
// zone is what quickstart printed, Pebble as the certificate authority, and the Debian package.

import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { makeWorld, runInWorld } from '../support/quickstart/world.ts';
import { runWell } from '../support/servers/run-program.ts';

let place = '';

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-quickstart-'));
  const arch = (await runWell('dpkg', ['--print-architecture'])).trim();
  await runWell(process.execPath, ['scripts/release.mjs', 'deb', place, '--arch', arch]);
  const [deb = ''] = await readdir(place);
  const world = await makeWorld(place);
  await rename(path.join(place, deb), path.join(world, 'package.deb'));
}, 600_000);
afterAll(() => rm(place, { recursive: true }));

it('goes from a bare server to HTTPS that verifies and a mail that is read, in one command and a minute', async () => {
  const output = await runInWorld(
    place,
    `
    dpkg --install /srv/world/package.deb > /dev/null
    publish &
    from=$(seconds)
    begin
    echo "took $(seconds) - $from" | awk '{ print "took", $2 - $4 }'
    curl --silent --fail --cacert /srv/world/root.pem https://mail.example.org/domains
    mayfly settings
    echo again
    begin > /srv/again
    grep --count '^set ' /srv/again || true
    cat /srv/again
  `,
  );
  const [first = '', second = ''] = output.split('again\n');
  expect(first).toContain('ok       a mail through the public MX, and its code');
  expect(Number(/^took ([\d.]+)$/m.exec(first)?.[1])).toBeLessThan(60);
  expect(first).toContain('"domain":"example.org"');
  // Only a mail from another network can show that port 25 is open on the way.
  expect(first).toMatch(/Not green: 1 not checked, of \d+ checks\./);
  expect(first).toMatch(/Next: Run `mayfly doctor --mail`/);
  expect(first).toMatch(/^MAYFLY_DOMAINS +example\.org +\/etc\/mayfly\/mayfly\.env$/m);
  expect(second).toMatch(/^0\n/);
}, 300_000);

/** The program alone, as from npm: quickstart writes the command and the units. */
const byHand = `
  dpkg-deb --extract /srv/world/package.deb /srv/package
  cp -r /srv/package/opt/mayfly /opt/mayfly
  mayfly() { /opt/mayfly/runtime/node /opt/mayfly/bin/mayfly.mjs "$@"; }
`;

it('undoes what it did when it fails half-way, and goes on from there when it is run again', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
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
  `,
  );
  const [failed = '', after = ''] = output.split('\nundone\n');
  expect(failed).toMatch(/the service: .*mayfly\.service` failed: .*What was done is undone\.$/m);
  expect(failed.split('\n').filter((line) => line.startsWith('undone'))).not.toEqual([]);
  // Nothing is left.
  expect(failed.trimEnd().split('\n').at(-1)).toMatch(/undone\.$/);
  expect(after).toContain('ok       a mail through the public MX, and its code');
  expect(after).toMatch(/^1 +example\.org +active/m);
}, 300_000);

it('changes nothing while another program has one of the ports, and names the port', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
    python3 -c 'import socket, time; held = socket.create_server(("", 25)); time.sleep(100)' &
    until ss -ltn | grep -q ':25 '; do sleep 0.1; done
    begin > /srv/failed 2>&1 && exit 1
    cat /srv/failed
    test ! -e /etc/mayfly
    getent passwd mayfly && exit 1
    echo unchanged
  `,
  );
  expect(output).toMatch(/Port 25 is in use by another program/);
  expect(output).toMatch(/unchanged\n$/);
}, 300_000);

it('gives the first administrator a link that works once, and ends with the missing records when they stay away', async () => {
  const output = await runInWorld(
    place,
    `
    dpkg --install /srv/world/package.deb > /dev/null
    begin --wait 0 > /srv/waiting 2>&1 && exit 1
    tail -n 1 /srv/waiting
    publish
    begin > /srv/done || { cat /srv/done; exit 1; }
    code=$(sed -n 's/.*#link=//p' /srv/done)
    redeem() { curl --silent --data "code=$code" http://127.0.0.1:8081/admin/redeem-link; }
    redeem; redeem
    find /var/lib/mayfly-backup -name backup.json | wc -l
    mayfly doctor || true
  `,
  );
  expect(output).toMatch(
    /^Next: Publish the records that are missing, then run: mayfly quickstart example\.org\n/,
  );
  expect(output).toMatch(/"key":"mfa_[^]*"code":"invalid_api_key"/);
  expect(output).toMatch(/^1$/m);
  expect(output).toMatch(/Not green: 1 not checked/);
}, 300_000);

/** Everything that quickstart may leave behind, apart from the obstacle. */
const traces = `traces() {
  { getent passwd mayfly; ls /run/units 2> /dev/null | grep enabled; ss -ltn | grep -E ':(25|80|443) '
    find /etc/mayfly /var/lib /usr/local/bin /etc/systemd/system -name '*mayfly*'; } 2> /dev/null || true
}`;

it.each([
  [
    'the user',
    'printf "#!/bin/sh\\nexit 1\\n" > /usr/local/sbin/useradd; chmod +x /usr/local/sbin/useradd',
    'rm /usr/local/sbin/useradd',
  ],
  ['a folder', 'touch /var/lib/mayfly-backup', 'rm /var/lib/mayfly-backup'],
  ['the settings', 'mkdir -p /etc/mayfly/mayfly.env.new', 'rm -r /etc/mayfly'],
  ['the command', 'mkdir /usr/local/bin/mayfly', 'rmdir /usr/local/bin/mayfly'],
  ['a unit', 'mkdir /etc/systemd/system/mayfly.service.new', 'rmdir /etc/systemd/system/mayfly.service.new'],
  ['the zone', 'mkdir -p /etc/mayfly/example.org.zone.new', 'rm -r /etc/mayfly'],
  ['the start', 'mkdir -p /run/units; touch /run/units/refuse', 'rm /run/units/refuse'],
  ['the service itself', 'broken="--set MAYFLY_STORE_URL=postgres://127.0.0.1:9/none"', 'broken='],
  [
    'a full disk',
    'mkdir /etc/mayfly; mount -t tmpfs -o size=16k tmpfs /etc/mayfly; head -c 12k /dev/zero > /etc/mayfly/filler',
    'umount /etc/mayfly',
  ],
])(
  'leaves nothing when %s fails, and succeeds when that is mended',
  async (_name, obstacle, mend) => {
    const output = await runInWorld(
      place,
      `${byHand}
    ${traces}
    mayfly quickstart example.org --yes --print /srv/printed > /dev/null
    mkdir -p /srv/zone && cat /srv/printed/etc/mayfly/example.org.zone >> /srv/world/example.org.zone
    unbound-control -c /srv/world/unbound.conf auth_zone_reload example.org > /dev/null
    broken=
    ${obstacle}
    traces > /srv/before
    begin $broken > /srv/failed 2>&1 && exit 1
    traces > /srv/after
    diff /srv/before /srv/after
    tail -n 1 /srv/failed
    ${mend}
    begin
    `,
    );
    expect(output).toMatch(/undone\.\n/);
    expect(output).toContain('ok       a mail through the public MX, and its code');
  },
  300_000,
);

it('changes only what differs, and what the operator set stays', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
    publish &
    begin > /dev/null
    rm /etc/systemd/system/mayfly-backup.timer
    chmod 0644 /etc/mayfly/mayfly.env
    sed -i 's/MAYFLY_ADMIN_PORT=8081/MAYFLY_ADMIN_PORT=8099/' /etc/mayfly/mayfly.env
    chmod 0750 /var/lib/mayfly
    systemctl disable mayfly-http.socket
    begin | grep '^set '
    cat /etc/mayfly/mayfly.env
    `,
  );
  expect(output.match(/^set .*$/gm)?.map((line) => line.slice(9))).toEqual([
    ...[
      '/var/lib/mayfly',
      '/etc/mayfly/mayfly.env',
      '/etc/systemd/system/mayfly-backup.timer',
      'the service',
    ],
  ]);
  expect(output).toContain('\nMAYFLY_ADMIN_PORT=8099\n');
}, 300_000);

it('adds a domain of another zone to the server', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
    publish &
    begin > /dev/null
    cat > /srv/world/example.net.zone <<'ZONE'
example.net. 300 IN SOA ns.example.org. root.example.org. 1 3600 600 86400 1
example.net. 300 IN NS ns.example.org.
ZONE
    printf 'auth-zone:\\n  name: "example.net"\\n  zonefile: "/srv/world/example.net.zone"\\n  fallback-enabled: no\\n' >> /srv/world/unbound.conf
    unbound-control -c /srv/world/unbound.conf reload > /dev/null
    { until [ -e /etc/mayfly/example.net.zone ]; do sleep 0.1; done
      cat /etc/mayfly/example.net.zone >> /srv/world/example.net.zone
      unbound-control -c /srv/world/unbound.conf auth_zone_reload example.net > /dev/null; } &
    mayfly quickstart example.net --yes
    cat /etc/mayfly/example.net.zone
    `,
  );
  expect(output).toContain('ok       A of mail.example.org');
  expect(output).toContain('ok       a certificate for mail.example.org, mta-sts.example.net');
  expect(output).toContain('ok       a mail through the public MX, and its code');
  expect(output).not.toMatch(/^mail\.example\.org/m);
}, 300_000);

it('writes files for another machine without rights, and a script that sets it up there', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
    mkdir -p /home/visitor && cp -r /opt/mayfly /home/visitor/program && chown -R nobody /home/visitor
    rm -r /opt/mayfly
    as() { runuser -u nobody -- /home/visitor/program/runtime/node /home/visitor/program/bin/mayfly.mjs "$@"; }
    as quickstart example.org --yes && exit 1
    as quickstart example.org --yes --print /home/visitor/server --set MAYFLY_ACME_DIRECTORY=https://localhost:14000/dir \\
      --set MAYFLY_ACME_CA_FILE=/srv/world/ca.pem --set NODE_EXTRA_CA_CERTS=/srv/world/root.pem
    grep -r '^ExecStart=' /home/visitor/server/etc/systemd/system/mayfly.service
    sh /home/visitor/server/setup.sh && exit 1
    getent passwd mayfly && exit 1
    cat /home/visitor/server/etc/mayfly/example.org.zone >> /srv/world/example.org.zone
    unbound-control -c /srv/world/unbound.conf auth_zone_reload example.org > /dev/null
    cp -r /srv/package/opt/mayfly /opt/mayfly && install -m 0755 /opt/mayfly/runtime/node /usr/bin/node
    sh /home/visitor/server/setup.sh
    unset -f mayfly
    until curl --silent --fail --insecure https://127.0.0.1/readyz > /dev/null; do sleep 0.2; done
    until mayfly certificate show | grep -q 'source: acme'; do sleep 0.5; done
    curl --silent --fail --cacert /srv/world/root.pem https://mail.example.org/domains
    mayfly doctor || true
    `,
  );
  expect(output).toContain('ExecStart=/usr/bin/node /opt/mayfly/bin/mayfly.mjs serve');
  expect(output).toContain('"domain":"example.org"');
  // A backup comes with the night.
  expect(output).toMatch(/Not green: 1 warning, 1 not checked|Not green: /);
}, 300_000);

it('undoes what it did when it is interrupted, and goes on after it was killed, at any time', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
    ${traces}
    unset -f mayfly
    mkdir /srv/tools
    PATH=/srv/tools:$PATH # of this shell alone: the units find their own mayfly
    printf '#!/bin/sh\nexec /opt/mayfly/runtime/node /opt/mayfly/bin/mayfly.mjs "$@"\n' > /srv/tools/mayfly
    chmod +x /srv/tools/mayfly
    traces > /srv/before
    for tool in useradd getent; do
      printf '#!/bin/sh\nsleep 1\nexec /usr/%s "$@"\n' $([ $tool = useradd ] && echo sbin/$tool || echo bin/$tool) > /usr/local/sbin/$tool
      chmod +x /usr/local/sbin/$tool
    done
    begin > /srv/interrupted 2>&1 &
    until getent passwd mayfly; do sleep 0.1; done
    pkill -INT -f '[m]ayfly.mjs quickstart'
    wait $! && exit 1
    cat /srv/interrupted
    rm /usr/local/sbin/useradd /usr/local/sbin/getent
    traces > /srv/after
    diff /srv/before /srv/after
    echo nothing left
    begin --wait 5 > /srv/waiting 2>&1 &
    until grep -q '^Waiting' /srv/waiting; do sleep 0.1; done
    pkill -INT -f '[m]ayfly.mjs quickstart'
    wait $! && exit 1
    tail -n 1 /srv/waiting
    publish
    for seconds in 0.5 1 2 3 5; do
      begin > /dev/null 2>&1 &
      sleep $seconds
      pkill -KILL -f '[m]ayfly.mjs quickstart' || true
      wait $! || true
    done
    begin
    find /etc/mayfly /etc/systemd/system -name '*.new'
    `,
  );
  const [interrupted = '', after = ''] = output.split('nothing left\n');
  expect(interrupted).toMatch(/Interrupted\. What was done is undone\.$/m);
  expect(after).toMatch(
    /^Next: Publish the records that are missing, then run: mayfly quickstart example\.org\n/,
  );
  expect(after).toContain('ok       a mail through the public MX, and its code');
  expect(after).not.toContain('.new\n');
}, 300_000);

it('sets up a server that has IPv6 alone, whose name servers also have addresses that it cannot reach', async () => {
  const output = await runInWorld(
    place,
    `${byHand}
    ip address add 2001:db8:53::53/128 dev lo
    pkill -x unbound; pkill -x pebble
    ip address del 192.0.2.10/32 dev lo && ip address del 10.0.0.53/32 dev lo
    echo 'ns.example.org. 300 IN AAAA 2001:db8:53::53' >> /srv/world/example.org.zone
    sed -i 's/interface: 10.0.0.53/interface: 2001:db8:53::53/; s|access-control: .*|access-control: ::/0 allow|' \
      /srv/world/unbound.conf
    echo 'nameserver 2001:db8:53::53' > /etc/resolv.conf
    unbound -c /srv/world/unbound.conf > /srv/world/unbound.log 2>&1 &
    PEBBLE_VA_NOSLEEP=1 /srv/world/pebble -config /srv/world/pebble.json -dnsserver '[2001:db8:53::53]:53' \
      > /srv/world/pebble.log 2>&1 &
    until curl --silent --fail --cacert /srv/world/ca.pem https://localhost:15000/roots/0 > /srv/world/root.pem; do
      sleep 0.1
    done
    publish &
    begin --wait 2 --address 2001:db8::10
    `,
  );
  expect(output).toContain('ok       AAAA of mail.example.org');
  expect(output).toContain('ok       a mail through the public MX, and its code');
  expect(output).toMatch(/Not green: 1 not checked, of \d+ checks\./);
}, 300_000);
