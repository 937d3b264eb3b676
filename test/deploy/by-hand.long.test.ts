// The way by hand in docs/operations.md, command for command as it is printed there, on a bare server in a layer over this
// system's root. npm alone is replaced, since the package is not published: what it would bring lies ready.

import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it } from 'vitest';

import { newNode, npm } from '../support/deploy/published-tools.ts';
import { makeWorld, runInWorld } from '../support/quickstart/world.ts';
import { runWell } from '../support/servers/run-program.ts';

let place = '';
let page = '';

const npmInstead = `#!/bin/sh
case "$*" in
  'pack mayfly') cp /srv/world/mayfly.tgz mayfly-0.0.0.tgz ;;
  'install --omit=dev') cp -r /srv/world/node_modules . ;;
  *) echo "npm $*?" >&2; exit 1 ;;
esac
`;

beforeAll(async () => {
  page = await readFile('docs/operations.md', 'utf8');
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-by-hand-'));
  await runWell('npm', ['pack', '--silent', '--pack-destination', place]);
  const [tarball = ''] = await readdir(place);
  await runWell('tar', ['-xzf', path.join(place, tarball), '-C', place]);
  await npm(['install', '--omit=dev'], { cwd: path.join(place, 'package') });
  const world = await makeWorld(place);
  await rename(path.join(place, tarball), path.join(world, 'mayfly.tgz'));
  await mkdir(path.join(world, 'node_modules'));
  await cp(path.join(place, 'package/node_modules'), path.join(world, 'node_modules'), { recursive: true });
  await writeFile(path.join(world, 'npm'), npmInstead, { mode: 0o755 });
  await cp(newNode, path.join(world, 'node'));
}, 600_000);
afterAll(() => rm(place, { recursive: true }));

/** Returns the commands of the block in which this one stands. */
function commandsWith(command: string): string {
  const blocks = [...page.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text = '']) => text);
  const [found, ...others] = blocks.filter((text) => text.includes(command));
  expect([command, found === undefined, others]).toEqual([command, false, []]);
  return found ?? '';
}

/** The page's table of records as a zone, with the addresses of the world. */
function recordsOfPage(): string {
  const [, table = ''] = /^### Records\n\n([^]*?)\n\n/m.exec(page) ?? [];
  const lines = table.split('\n').flatMap((row) => {
    const [, name = '', types = '', , value = ''] =
      /^\| `([^`]+)` ?([A-Z, ]*)\| +([A-Z]* ?)`([^`]+)`/.exec(row) ?? [];
    if (name === '') return [];
    const all = types.trim() === '' ? ['TXT'] : types.trim().split(', ');
    return all.map((type) => {
      const data = { A: '192.0.2.10', AAAA: '2001:db8::10', TXT: `"${value}"` }[type] ?? value;
      return `${name}. 300 IN ${type} ${data}\n`;
    });
  });
  expect(lines.length).toBeGreaterThan(8);
  return lines.join('');
}

const ready = `until curl --silent --fail --insecure https://127.0.0.1/readyz > /dev/null; do sleep 0.2; done`;
const certified = `until mayfly certificate show | grep -q 'source: acme'; do sleep 0.5; done`;
const received = `curl --silent --fail --cacert /srv/world/root.pem -H "Authorization: Bearer $token" https://mail.example.org/check-mail`;

it('leads to a server of which the doctor finds nothing wrong, and through backup, restore and upgrade', async () => {
  const [before = '', editing = '', after = ''] =
    /^([^]*\n)([^\n]*# edit it[^\n]*\n)([^]*)$/.exec(commandsWith('useradd'))?.slice(1) ?? [];
  const restore = commandsWith('mayfly restore').replace(
    /\d{4}-\d\d-\d\dT[\d-]{8}/,
    '$(ls /var/lib/mayfly-backup | head -n 1)',
  );
  expect(restore).toContain('$(ls');
  const backup = commandsWith('mayfly backup FOLDER').replace('FOLDER', '/var/lib/mayfly-backup/own');
  const output = await runInWorld(
    place,
    `
    install -m 0755 /srv/world/node /usr/bin/node
    install -m 0755 /srv/world/npm /usr/local/sbin/npm
    cat >> /srv/world/example.org.zone <<'ZONE'
${recordsOfPage()}ZONE
    unbound-control -c /srv/world/unbound.conf auth_zone_reload example.org > /dev/null
    ${before}
    ${editing}
    cat >> /etc/mayfly/mayfly.env <<'SETTINGS'
MAYFLY_ACME_DIRECTORY=https://localhost:14000/dir
MAYFLY_ACME_CA_FILE=/srv/world/ca.pem
NODE_EXTRA_CA_CERTS=/srv/world/root.pem
SETTINGS
    ${after}
    ${ready}
    ${certified}
    token=$(curl --silent --fail --cacert /srv/world/root.pem --data prefix=fox https://mail.example.org/create-session |
      sed -n 's/.*"token":"\\([^"]*\\)".*/\\1/p')
    swaks --silent 2 --server mail.example.org --from a@example.net --to fox@example.org --header 'Subject: by hand'
    ${received}

    ${backup}
    mayfly doctor || true
    echo examined

    ${commandsWith('mayfly domain set')}
    ${commandsWith('mayfly certificate renew')}
    echo administered

    ${restore}
    ${ready}
    mayfly domain list
    ${received}
    echo restored

    ${commandsWith('mayfly-old && mv /opt/new/package')}
    ${ready}
    mayfly version
    ${received}
    `,
  );
  const [examined = '', administered = '', restored = '', upgraded = ''] = output.split(
    /^(?:examined|administered|restored)$/m,
  );
  expect(examined).toContain('"subject":"by hand"');
  // Only a mail from another network can show that port 25 is open on the way.
  expect(examined).toMatch(/Not green: 1 not checked, of \d+ checks\./);
  expect(administered).toMatch(/example\.net +active/);
  expect(restored).toMatch(/example\.org +active[^]*"subject":"by hand"/);
  expect(restored).not.toContain('example.net ');
  expect(upgraded).toMatch(/mayfly \d[^]*"subject":"by hand"/);
}, 300_000);
