// Lays out an installation of the service: the package as published with the driver that it installs, for one kind of
// processor. The image consists of it, and so does the Debian package, which adds a Node.js.
import { cpSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { publishedPackages, serviceFolder } from './published-manifest.mjs';
import { run } from './run.mjs';
import { stage } from './stage.mjs';

/** For compiling the driver, whose package brings a binding for every platform. */
const sources = ['deps', 'src', 'binding.gyp'];
const lock = 'package-lock.json';

/**
 * @param {string} root the repository
 * @param {string} folder made anew
 * @param {{ cpu?: string, withNode?: boolean }} [options] of process.arch; whether node_modules has its Node.js too
 */
export async function layOut(root, folder, { cpu = process.arch, withNode = false } = {}) {
  const service = publishedPackages(root).find(({ at }) => at === '');
  if (service === undefined) throw new Error('The service is not among the published packages.');
  await stage(root, service, folder);
  // In a folder of its own, whose manifest agrees with the lockfile.
  const installed = path.join(folder, 'install');
  cpSync(path.join(root, serviceFolder), installed, { recursive: true });
  const omitted = withNode ? ['--omit=dev'] : ['--omit=dev', '--omit=optional'];
  const platform = ['--os=linux', '--libc=glibc', `--cpu=${cpu}`];
  run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', ...omitted, ...platform], installed);
  rmSync(path.join(installed, 'node_modules', `.${lock}`));
  cpSync(path.join(installed, 'node_modules'), path.join(folder, 'node_modules'), { recursive: true });
  rmSync(installed, { recursive: true });
  prune(path.join(folder, 'node_modules/better-sqlite3'), cpu);
}

/**
 * @param {string} driver
 * @param {string} cpu
 */
function prune(driver, cpu) {
  for (const name of sources) rmSync(path.join(driver, name), { recursive: true });
  const bindings = path.join(driver, 'prebuilds');
  for (const name of readdirSync(bindings)) {
    if (name !== `linux-${cpu}.node`) rmSync(path.join(bindings, name));
  }
}
