// The Internet around a bare server, for a layer over this system's root: files that world.sh needs, and what to run there.

import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { expect } from 'vitest';

import { makeAuthority } from '../servers/certificate.ts';
import { runInLayer } from '../servers/root-layer.ts';

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

/** Makes the folder `world` there, to which more may be added, and returns it. */
export async function makeWorld(place: string): Promise<string> {
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
  return world;
}

/** Runs the script as root in a fresh layer, after the world around it has begun; expects it to succeed. */
export async function runInWorld(place: string, script: string): Promise<string> {
  const whole = `ln -s /srv/given /srv/world; . /srv/world/world.sh; ${script}`;
  const { status, stdout, stderr } = await runInLayer(place, path.join(place, 'world'), whole);
  expect([status, status === 0 ? '' : `${stdout}\n${stderr}`]).toEqual([0, '']);
  return stdout;
}
