// The steps of the release workflow, which can also be run by hand:
//   node scripts/release.mjs build FOLDER [--tag v1.2.3]   checks versions and the Go module; packs for npm, each
//                                                          package with its bill of materials, and for PyPI
//   node scripts/release.mjs publish-npm FOLDER            publishes the npm packages, with provenance
//   node scripts/release.mjs tag-go                        tags the Go module, which publishes it
// With --dry-run the last two only print what they would do. The workflow itself uploads to PyPI, since trusted
// publishing and attestations need an action. PYTHON names an interpreter other than python3.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { writeSboms } from './sbom.mjs';
import { findDifferences, npmFolders, readVersions } from './set-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const goModule = path.join(root, 'clients/go');
/** The first npm that publishes with a workflow's identity, without a token. */
const npmLeast = [11, 5, 1];

/**
 * @typedef {object} Manifest
 * @property {string} name
 * @property {string} version
 * @property {boolean} [private]
 * @property {{ url?: string, directory?: string }} [repository]
 * @property {Record<string, string>} [dependencies]
 */

/** @param {{ folder: string, tag: string | undefined, isDry: boolean }} given */
function build({ folder, tag, isDry }) {
  const wrong = findDifferences(readVersions(root), tag);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  if (!isDry) checkChangelog();
  checkGo();
  const [npm, python] = [path.join(folder, 'npm'), path.join(folder, 'python')];
  for (const made of [npm, python]) mkdirSync(made, { recursive: true });
  run(process.execPath, ['scripts/build.mjs', '--dist']);
  writeSboms(root, publishable());
  for (const { at } of publishable()) {
    run('npm', ['pack', '--silent', '--pack-destination', npm], path.join(root, at));
  }
  const builder = ['-m', 'build', '--no-isolation', '--outdir', python, path.join(root, 'clients/python')];
  run(process.env['PYTHON'] ?? 'python3', builder);
}

/** Returns the packages for npm, each after those that it depends on. */
function publishable() {
  const found = npmFolders(root)
    .map((at) => ({ at, manifest: readManifest(at) }))
    .filter(({ manifest }) => manifest.private !== true);
  for (const { at, manifest } of found) {
    // npm refuses provenance for a package that does not name its source repository.
    const { url, directory = '' } = manifest.repository ?? {};
    if (url === undefined || directory !== at) {
      throw new Error(
        `${path.join(at, 'package.json')}: repository must have a url and the directory "${at}".`,
      );
    }
  }
  const names = found.map(({ manifest }) => manifest.name);
  /** @param {Manifest} manifest @returns {number} */
  const depth = ({ dependencies = {} }) =>
    Math.max(
      0,
      ...found
        .filter(({ manifest }) => manifest.name in dependencies && names.includes(manifest.name))
        .map(({ manifest }) => 1 + depth(manifest)),
    );
  return found.toSorted((a, b) => depth(a.manifest) - depth(b.manifest));
}

/** @param {string} at @returns {Manifest} */
function readManifest(at) {
  return JSON.parse(readFileSync(path.join(root, at, 'package.json'), 'utf8'));
}

function checkChangelog() {
  const { version } = readManifest('');
  const heading = new RegExp(`^## \\[?${version.replaceAll('.', '\\.')}\\]?( |$)`, 'm');
  if (heading.test(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'))) return;
  throw new Error(`CHANGELOG.md has no heading "## ${version}" for the changes under Unreleased.`);
}

function checkGo() {
  const unformatted = run('gofmt', ['-l', '.'], goModule).trim();
  if (unformatted !== '') throw new Error(`gofmt would change ${unformatted.replaceAll('\n', ', ')}`);
  run('go', ['vet', './...'], goModule);
  run('go', ['test', './...'], goModule);
}

/** @param {{ folder: string, isDry: boolean }} given */
function publishNpm({ folder, isDry }) {
  const packed = readdirSync(path.join(folder, 'npm'));
  for (const { manifest } of publishable()) {
    const tarball = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    if (!packed.includes(tarball)) throw new Error(`${folder} lacks ${tarball}; run the step build first.`);
    if (!isDry) checkNpm();
    const how = isDry ? ['--dry-run'] : ['--provenance'];
    run('npm', ['publish', path.resolve(folder, 'npm', tarball), '--access', 'public', ...how]);
    say(`${isDry ? 'would publish' : 'published'} ${manifest.name} ${manifest.version} to npm`);
  }
}

function checkNpm() {
  const version = run('npm', ['--version']).trim();
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [a = 0, b = 0, c = 0] = npmLeast;
  if (major * 1e6 + minor * 1e3 + patch >= a * 1e6 + b * 1e3 + c) return;
  throw new Error(`npm ${version} lacks trusted publishing, which needs ${npmLeast.join('.')}.`);
}

/** @param {{ tag: string | undefined, isDry: boolean }} given */
function tagGo({ tag, isDry }) {
  const { version } = readManifest('');
  const wrong = findDifferences(readVersions(root), tag);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const name = `clients/go/v${version}`;
  if (!isDry) {
    run('git', ['tag', name]);
    run('git', ['push', 'origin', `refs/tags/${name}`]);
  }
  say(`${isDry ? 'would tag' : 'tagged'} ${name}`);
}

/**
 * @param {string} program
 * @param {readonly string[]} words
 * @param {string} cwd
 * @returns {string} its output
 */
function run(program, words, cwd = root) {
  const { status, stdout, stderr, error } = spawnSync(program, words, { cwd, encoding: 'utf8' });
  if (error) throw new Error(`cannot run ${program}: ${error.message}`);
  if (status === 0) return stdout;
  throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`release: ${line}\n`);
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'dry-run': { type: 'boolean', default: false }, tag: { type: 'string' } },
  });
  const [step = '', folder = 'release'] = positionals;
  const given = { folder: path.resolve(folder), tag: values.tag, isDry: values['dry-run'] };
  const steps = { build, 'publish-npm': publishNpm, 'tag-go': tagGo };
  if (!Object.hasOwn(steps, step)) throw new RangeError(`expected a step: ${Object.keys(steps).join(', ')}`);
  if (step === 'publish-npm' && !existsSync(given.folder)) {
    throw new RangeError(`no such folder: ${given.folder}`);
  }
  steps[/** @type {keyof typeof steps} */ (step)](given);
}

try {
  main();
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
