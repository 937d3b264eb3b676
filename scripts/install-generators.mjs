// Installs the client generators that `npm run test:generators` tries, in fixed versions, into a folder below
// node_modules. Does nothing if they exist.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { readIfThere } from './read-if-there.mjs';

const run = promisify(execFile);

const folder = path.resolve('node_modules/.test-generators');
const npmPackages = path.resolve('test/fixtures/generators/package.json');
const pythonPackage = 'openapi-python-client==0.29.1';
const goPackage = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const mavenPackage = 'org.openapitools:openapi-generator-cli:7.17.0';

await installGenerators();

async function installGenerators() {
  const wanted = [await readFile(npmPackages, 'utf8'), pythonPackage, goPackage, mavenPackage].join('\n');
  const mark = path.join(folder, 'installed');
  if ((await readIfThere(mark)) === wanted) return;
  console.log('test:generators: installing the client generators');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await Promise.all([installNpm(), installPython(), installGo(), installMaven()]);
  await writeFile(mark, wanted);
}

async function installNpm() {
  await copyFile(npmPackages, path.join(folder, 'package.json'));
  await run('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'], {
    cwd: folder,
  });
}

async function installPython() {
  const environment = path.join(folder, 'python');
  await run('python3', ['-m', 'venv', environment]);
  const pip = path.join(environment, 'bin', 'pip');
  await run(pip, ['install', '--quiet', '--disable-pip-version-check', pythonPackage]);
}

async function installGo() {
  await run('go', ['install', goPackage], { env: { ...process.env, GOBIN: path.join(folder, 'bin') } });
}

async function installMaven() {
  const [, name, version] = mavenPackage.split(':');
  await run('mvn', [
    '-q',
    '-B',
    'dependency:copy',
    `-Dartifact=${mavenPackage}`,
    `-DoutputDirectory=${folder}`,
  ]);
  await copyFile(path.join(folder, `${name}-${version}.jar`), path.join(folder, 'openapi-generator.jar'));
}
