// The steps of the release workflow, which can also be run by hand:
//   node scripts/release.mjs build FOLDER [--tag v1.2.3]   checks versions and the Go module; packs for npm, PyPI and
//                                                          the stores of browsers, and copies bills and changes
//   node scripts/release.mjs claim-npm                     publishes an empty 0.0.0 of each npm package that is new
//   node scripts/release.mjs publish-npm FOLDER            publishes the npm packages
//   node scripts/release.mjs tag-go                        tags the Go module, which publishes it
//   node scripts/release.mjs lay-out FOLDER                lays out the service with its packages, for the image
//   node scripts/release.mjs deb FOLDER --arch amd64       makes the Debian package
// What is published at this version already is left alone, so a release that failed half-way is run again. With --dry-run
// nothing is published or tagged. The workflow itself uploads to PyPI, since trusted publishing and attestations need an
// action. PYTHON names an interpreter other than python3.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildExtension } from './build-extension.mjs';
import { makeDeb } from './release/deb.mjs';
import { layOut } from './release/lay-out.mjs';
import { pack, tarballName } from './release/pack.mjs';
import { publishedPackages } from './release/published-manifest.mjs';
import { stagePython } from './release/python.mjs';
import { findTag, listVersions, npmRegistry } from './release/registries.mjs';
import { run } from './release/run.mjs';
import { sbomName } from './release/sbom.mjs';
import { findDifferences, readVersions } from './set-version.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const goModule = path.join(root, 'clients/go');
/** The first npm that publishes with a workflow's identity, without a token. */
const npmLeast = [11, 5, 1];

/**
 * @typedef {object} Given
 * @property {string} folder
 * @property {string | undefined} tag
 * @property {boolean} isDry
 * @property {boolean} hasProvenance
 * @property {string} arch of Debian
 */

/** @param {Given} given */
async function build({ folder, tag, isDry }) {
  const wrong = findDifferences(readVersions(root), tag);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const notes = readNotes();
  if (!isDry && notes === undefined) {
    throw new Error(`CHANGELOG.md has no heading "## ${version()}" for the changes under Unreleased.`);
  }
  checkGo();
  const packages = publishedPackages(root);
  await pack(root, packages, path.join(folder, 'npm'));
  copySboms(packages, folder);
  writeFileSync(path.join(folder, 'notes.md'), `${notes ?? ''}\n`);
  buildPython(path.join(folder, 'python'));
  await buildExtension(path.join(folder, 'extension'));
}

function version() {
  const [service] = publishedPackages(root).filter(({ at }) => at === '');
  return service?.manifest.version ?? '';
}

/** Returns what CHANGELOG.md says of this version; undefined if nothing. */
function readNotes() {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8');
  const section = new RegExp(
    `^## \\[?${version().replaceAll('.', '\\.')}\\]?(?: .*)?\\n([\\s\\S]*?)(?=^## |(?![\\s\\S]))`,
    'm',
  );
  return section.exec(changelog)?.[1]?.trim();
}

function checkGo() {
  const unformatted = run('gofmt', ['-l', '.'], goModule).trim();
  if (unformatted !== '') throw new Error(`gofmt would change ${unformatted.replaceAll('\n', ', ')}`);
  run('go', ['vet', './...'], goModule);
  run('go', ['test', './...'], goModule);
}

/**
 * Copies each package's bill of materials beside the others, for the release on GitHub.
 * @param {readonly import('./release/published-manifest.mjs').Package[]} packages
 * @param {string} folder
 */
function copySboms(packages, folder) {
  const to = path.join(folder, 'sbom');
  mkdirSync(to, { recursive: true });
  for (const { manifest } of packages) {
    const tarball = path.join(folder, 'npm', tarballName(manifest));
    const text = run('tar', ['-xzOf', tarball, `package/${sbomName}`], root);
    writeFileSync(path.join(to, tarballName(manifest).replace(/\.tgz$/, '.cdx.json')), text);
  }
}

/** @param {string} folder */
function buildPython(folder) {
  mkdirSync(folder, { recursive: true });
  const scratch = mkdtempSync(path.join(tmpdir(), 'mayfly-python-'));
  try {
    stagePython(root, scratch);
    const builder = ['-m', 'build', '--no-isolation', '--outdir', folder, scratch];
    run(process.env['PYTHON'] ?? 'python3', builder, root);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/**
 * Trusted publishing is set up per package, and npm does so only for packages that exist.
 * @param {Given} given
 */
async function claimNpm({ isDry }) {
  const there = await listPublished();
  const scratch = mkdtempSync(path.join(tmpdir(), 'mayfly-claim-'));
  try {
    for (const { manifest } of publishedPackages(root)) {
      const { name, license, repository } = /** @type {typeof manifest & { license?: string }} */ (manifest);
      if (there(name).length > 0) {
        say(`${name} is on npm already`);
        continue;
      }
      const description = 'Holds the name until the first release.';
      const claimed = { name, version: '0.0.0', description, license, repository };
      writeFileSync(path.join(scratch, 'package.json'), JSON.stringify(claimed));
      publish(scratch, { isDry, hasProvenance: false });
      say(`${isDry ? 'would claim' : 'claimed'} ${name}`);
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** @param {Given} given */
async function publishNpm({ folder, isDry, hasProvenance }) {
  if (!existsSync(folder)) throw new RangeError(`no such folder: ${folder}`);
  const packed = readdirSync(path.join(folder, 'npm'));
  if (hasProvenance) checkNpm();
  const there = await listPublished();
  for (const { manifest } of publishedPackages(root)) {
    const tarball = tarballName(manifest);
    const label = `${manifest.name} ${manifest.version}`;
    if (!packed.includes(tarball)) throw new Error(`${folder} lacks ${tarball}; run the step build first.`);
    if (there(manifest.name).includes(manifest.version)) {
      say(`${label} is on npm already`);
      continue;
    }
    publish(path.join(folder, 'npm', tarball), { isDry, hasProvenance });
    say(`${isDry ? 'would publish' : 'published'} ${label} to npm`);
  }
}

/** Asks npm for the versions of every package before any is published, which takes long enough to lose a connection. */
async function listPublished() {
  const registry = npmRegistry();
  const names = publishedPackages(root).map(({ manifest }) => manifest.name);
  const versions = await Promise.all(names.map((name) => listVersions(registry, name)));
  const there = new Map(names.map((name, at) => [name, versions[at] ?? []]));
  return (/** @type {string} */ name) => there.get(name) ?? [];
}

/**
 * @param {string} what
 * @param {Pick<Given, 'isDry' | 'hasProvenance'>} how
 */
function publish(what, { isDry, hasProvenance }) {
  const flags = [...(isDry ? ['--dry-run'] : []), ...(hasProvenance ? ['--provenance'] : [])];
  run('npm', ['publish', what, '--access', 'public', ...flags], root);
}

function checkNpm() {
  const npm = run('npm', ['--version'], root).trim();
  const [major = 0, minor = 0, patch = 0] = npm.split('.').map(Number);
  const [a = 0, b = 0, c = 0] = npmLeast;
  if (major * 1e6 + minor * 1e3 + patch >= a * 1e6 + b * 1e3 + c) return;
  throw new Error(`npm ${npm} lacks trusted publishing, which needs ${npmLeast.join('.')}.`);
}

/** @param {Given} given */
function tagGo({ tag, isDry }) {
  const wrong = findDifferences(readVersions(root), tag);
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  const name = `clients/go/v${version()}`;
  if (isDry) {
    say(`would tag ${name}`);
    return;
  }
  const head = run('git', ['rev-parse', 'HEAD'], root).trim();
  const there = findTag(name, root);
  if (there === head) {
    say(`${name} is there already`);
    return;
  }
  if (there !== undefined) {
    throw new Error(`${name} is another commit, ${there}: a released version stays as it is.`);
  }
  run('git', ['push', 'origin', `${head}:refs/tags/${name}`], root);
  say(`tagged ${name}`);
}

/** @param {string} line */
function say(line) {
  process.stdout.write(`release: ${line}\n`);
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'dry-run': { type: 'boolean', default: false },
      provenance: { type: 'boolean', default: false },
      arch: { type: 'string', default: 'amd64' },
      tag: { type: 'string' },
    },
  });
  const [step = '', folder = 'release'] = positionals;
  const given = {
    folder: path.resolve(folder),
    tag: values.tag,
    isDry: values['dry-run'],
    hasProvenance: values.provenance,
    arch: values.arch,
  };
  const steps = {
    build,
    'claim-npm': claimNpm,
    'publish-npm': publishNpm,
    'tag-go': tagGo,
    'lay-out': () => layOut(root, given.folder),
    deb: () => makeDeb(root, given.folder, given.arch),
  };
  if (!Object.hasOwn(steps, step)) throw new RangeError(`expected a step: ${Object.keys(steps).join(', ')}`);
  await steps[/** @type {keyof typeof steps} */ (step)](given);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`release: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
