// Makes the Debian package: an installation in /opt/mayfly with a Node.js of its own, since Debian's are too old, the
// units of systemd and the command. The scripts that run when it is installed are in deploy/debian.
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { layOut } from './lay-out.mjs';
import { run } from './run.mjs';

/** Debian's names of processors, and Node's. */
const cpus = new Map([
  ['amd64', 'x64'],
  ['arm64', 'arm64'],
]);
const runtime = 'opt/mayfly/runtime';

/**
 * @param {string} root the repository
 * @param {string} folder
 * @param {string} arch Debian's name
 */
export async function makeDeb(root, folder, arch) {
  const cpu = cpus.get(arch);
  if (cpu === undefined) throw new RangeError(`--arch must be one of ${[...cpus.keys()].join(', ')}`);
  const tree = mkdtempSync(path.join(tmpdir(), 'mayfly-deb-'));
  try {
    await layOut(root, path.join(tree, 'opt/mayfly'), { cpu, withNode: true });
    bringNode(tree, `node-linux-${cpu}`);
    bringUnits(root, tree);
    put(root, tree, { from: 'deploy/debian/mayfly', to: 'usr/bin/mayfly', mode: 0o755 });
    put(root, tree, { from: 'LICENSE', to: 'usr/share/doc/mayfly/copyright', mode: 0o644 });
    const { version } = JSON.parse(readFileSync(path.join(tree, 'opt/mayfly/package.json'), 'utf8'));
    bringControl(root, tree, { arch, version });
    chmodSync(tree, 0o755);
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `mayfly_${version}_${arch}.deb`);
    run('dpkg-deb', ['--root-owner-group', '-Zzstd', '--build', tree, file], root);
  } finally {
    rmSync(tree, { recursive: true });
  }
}

/**
 * Moves the program out of its npm package.
 * @param {string} tree
 * @param {string} name
 */
function bringNode(tree, name) {
  const from = path.join(tree, 'opt/mayfly/node_modules', name);
  mkdirSync(path.join(tree, runtime));
  cpSync(path.join(from, 'bin/node'), path.join(tree, runtime, 'node'));
  cpSync(path.join(from, 'LICENSE'), path.join(tree, runtime, 'LICENSE'));
  rmSync(from, { recursive: true });
}

/**
 * @param {string} root
 * @param {string} tree
 */
function bringUnits(root, tree) {
  const to = path.join(tree, 'usr/lib/systemd/system');
  mkdirSync(to, { recursive: true });
  const from = path.join(root, 'deploy/systemd');
  for (const name of readdirSync(from).filter((file) => /\.(?:service|socket|timer)$/.test(file))) {
    const unit = readFileSync(path.join(from, name), 'utf8');
    writeFileSync(path.join(to, name), unit.replaceAll('/usr/bin/node', `/${runtime}/node`));
  }
}

/**
 * @param {string} root
 * @param {string} tree
 * @param {{ from: string, to: string, mode: number }} file
 */
function put(root, tree, { from, to, mode }) {
  const file = path.join(tree, to);
  mkdirSync(path.dirname(file), { recursive: true });
  cpSync(path.join(root, from), file);
  chmodSync(file, mode);
}

/**
 * @param {string} root
 * @param {string} tree
 * @param {{ arch: string, version: string }} given
 */
function bringControl(root, tree, { arch, version }) {
  const size = run('du', ['-sk', '--apparent-size', tree], root).split('\t')[0];
  for (const name of ['postinst', 'prerm', 'postrm']) {
    put(root, tree, { from: `deploy/debian/${name}`, to: `DEBIAN/${name}`, mode: 0o755 });
  }
  const control = readFileSync(path.join(root, 'deploy/debian/control'), 'utf8');
  const fields = `Version: ${version}\nArchitecture: ${arch}\nInstalled-Size: ${size}\n`;
  writeFileSync(path.join(tree, 'DEBIAN/control'), control.replace('Section:', `${fields}Section:`));
}
