// `npm run test:setup`: installs the Debian packages that tests use. Quick when all are there; on other systems it
// names what is missing and fails. It starts no daemon and removes no package, a mail server of the machine least.
// Then the Python packages that tests use, into a folder below node_modules.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { systemPackages } from './system-packages.mjs';

const python = 'node_modules/.test-python';
/** Check webhooks' signatures as Python's users do, send mail as they do, and ask all that the document allows. */
const pythonPackages = ['standardwebhooks==1.1.0', 'aiosmtplib==5.1.3', 'schemathesis==4.32.5'];
const policy = '/usr/sbin/policy-rc.d';

const debian = isDebian();
const missing = systemPackages.filter(
  ({ name, program, anyOrigin = !debian }) =>
    !(debian && isInstalled(name)) && !(anyOrigin && isOnPath(program)),
);
if (missing.length === 0) {
  console.log(`test:setup: all ${systemPackages.length} system packages are there`);
} else if (debian) {
  install(missing);
} else {
  console.error('test:setup: tests use these programs; install them and run this again:');
  for (const { name, program, reason } of missing) {
    console.error(`  ${program} (Debian's package ${name}): ${reason}`);
  }
  process.exitCode = 1;
}

if (process.exitCode === undefined) installPythonPackages();

/** In a folder of its own under node_modules, which nothing else looks into; made once. */
function installPythonPackages() {
  if (existsSync(path.join(python, 'bin', 'python')) && hasVersions()) return;
  console.log(`test:setup: installing ${pythonPackages.join(', ')} for Python`);
  run(['python3', '-m', 'venv', '--clear', python]);
  const pip = [path.join(python, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check'];
  run([...pip, ...pythonPackages]);
}

function hasVersions() {
  const listed = spawnSync(path.join(python, 'bin', 'pip'), ['freeze'], { encoding: 'utf8' });
  return pythonPackages.every((wanted) => listed.stdout.split('\n').includes(wanted));
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
 * Debian starts a service when its package is installed, unless this file says no.
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
