// `npm run test:setup`: installs the Debian packages that tests use. Quick when all are installed; on other systems it
// lists the missing programs and fails. It starts no daemon and removes no package, in particular no mail server. Then
// it installs the Python packages, the npm packages that only tests of clients (clients/) and dialects (test/clients/)
// use, what the published package runs on, and Pebble.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installPackages } from './install-packages.mjs';
import { installPebble } from './install-pebble.mjs';
import { systemPackages } from './system-packages.mjs';

const python = 'node_modules/.test-python';
const requirements = 'test/clients/requirements.txt';
const policy = '/usr/sbin/policy-rc.d';

const debian = isDebian();
const missing = systemPackages.filter(
  ({ name, program, anyOrigin = !debian }) =>
    !(debian && isInstalled(name)) && !(anyOrigin && isOnPath(program)),
);
if (missing.length === 0) {
  console.log(`test:setup: all ${systemPackages.length} system packages are installed`);
} else if (debian) {
  install(missing);
} else {
  console.error('test:setup: tests use these programs; install them and run this again:');
  for (const { name, program, reason } of missing) {
    console.error(`  ${program} (Debian's package ${name}): ${reason}`);
  }
  process.exitCode = 1;
}

if (process.exitCode === undefined) {
  installPythonPackages();
  await installPackages('clients');
  // Outside the packages that the service itself uses.
  await installPackages('test/clients', 'node_modules/.test-clients');
  await installPackages('test/install', 'node_modules/.test-install');
  await installPackages('scripts/release/service', 'node_modules/.published');
  await installPebble();
}

/** Installs into a folder of its own under node_modules, created once. */
function installPythonPackages() {
  const isMade = existsSync(path.join(python, 'bin', 'python'));
  if (isMade && hasVersions()) return;
  console.log(`test:setup: installing ${pythonPackages().join(', ')} for Python`);
  // Packages of an earlier list may stay: each has its version.
  if (!isMade) run(['python3', '-m', 'venv', '--clear', python]);
  const pip = [path.join(python, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check'];
  run([...pip, '--requirement', requirements]);
}

/** Returns the packages as `name==version`. */
function pythonPackages() {
  const lines = readFileSync(requirements, 'utf8').split('\n');
  return lines.filter((line) => line !== '' && !line.startsWith('#'));
}

function hasVersions() {
  const listed = spawnSync(path.join(python, 'bin', 'pip'), ['freeze'], { encoding: 'utf8' });
  const installed = listed.stdout.toLowerCase().replaceAll('_', '-').split('\n');
  return pythonPackages().every((wanted) => installed.includes(wanted.toLowerCase().replaceAll('_', '-')));
}

/** @param {readonly import('./system-packages.mjs').SystemPackage[]} packages */
function install(packages) {
  const names = packages.map((wanted) => wanted.name);
  console.log(`test:setup: installing ${names.join(', ')}`);
  asRoot(['apt-get', '-qq', 'update']);
  const answers = packages.flatMap((wanted) => wanted.answers ?? []);
  if (answers.length > 0) asRoot(['debconf-set-selections'], `${answers.join('\n')}\n`);
  withoutDaemons(() => {
    const apt = ['apt-get', '-qq', '-y', '--no-install-recommends', '--no-remove', 'install', ...names];
    asRoot(['env', 'DEBIAN_FRONTEND=noninteractive', ...apt]);
  });
  const still = names.filter((name) => !isInstalled(name));
  if (still.length > 0) throw new Error(`still missing: ${still.join(', ')}`);
  console.log('test:setup: done');
}

/**
 * Prevents services from starting when their packages are installed, as Debian does by default.
 * @param {() => void} work
 */
function withoutDaemons(work) {
  if (existsSync(policy)) {
    work();
    return;
  }
  asRoot(['sh', '-c', `cat > ${policy} && chmod 755 ${policy}`], '#!/bin/sh\nexit 101\n');
  try {
    work();
  } finally {
    asRoot(['rm', policy]);
  }
}

/**
 * @param {readonly string[]} command
 * @param {string} [input]
 */
function asRoot(command, input = '') {
  run(process.getuid?.() === 0 ? command : ['sudo', ...command], input);
}

/**
 * @param {readonly string[]} command
 * @param {string} [input]
 */
function run(command, input = '') {
  const [program = '', ...args] = command;
  const result = spawnSync(program, args, { input, stdio: ['pipe', 'inherit', 'inherit'] });
  if (result.error) {
    throw new Error(`cannot run ${command.join(' ')}`, { cause: result.error });
  }
  if (result.status !== 0) throw new Error(`failed with status ${result.status}: ${command.join(' ')}`);
}

function isDebian() {
  const file = '/etc/os-release';
  return existsSync(file) && /^(ID|ID_LIKE)=.*\b(debian|ubuntu)\b/m.test(readFileSync(file, 'utf8'));
}

/** @param {string} name of a Debian package */
function isInstalled(name) {
  const asked = spawnSync('dpkg-query', ['-W', '-f=${db:Status-Status}', name], { encoding: 'utf8' });
  return asked.stdout === 'installed';
}

/** @param {string} program */
function isOnPath(program) {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => isExecutable(path.join(folder, program)));
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
