// The contents of a release: built by the release's own steps, published in a dry run, installed into empty folders, and
// used. test/deploy/package.test.ts starts the service from its package, test/deploy/workflows.test.ts reads the workflow, and
// test/deploy/rehearsal.long.test.ts publishes.

import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { findBrokenLinks } from '../../scripts/broken-links.mjs';
import { publishedPackages } from '../../scripts/release/published-manifest.mjs';
import { python } from '../support/clients/client-folders.ts';
import { findInstalled } from '../support/clients/installed-clients.ts';
import { copyRepository } from '../support/deploy/repository-copy.ts';
import { type Finished, runProgram, runWell } from '../support/servers/run-program.ts';

const root = path.resolve('.');
const place = mkdtempSync(path.join(tmpdir(), 'mayfly-release-'));
const release = path.join(place, 'release');
const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
afterAll(() => {
  rmSync(place, { recursive: true });
});

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly exports?: Readonly<Record<string, object>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const packages = publishedPackages(root).map(({ manifest }) => manifest as Manifest);
const names = packages.map(({ name }) => name);
const [{ version } = { version: '' }] = packages;

/** An npm registry without packages: a dry run asks it for existing versions. */
const registry = createServer((_, response) => response.writeHead(404).end('{}'));
afterAll(() => void registry.close());

function step(...words: readonly string[]): Promise<Finished> {
  const { port } = registry.address() as AddressInfo;
  const env = { ...process.env, PYTHON: python, npm_config_registry: `http://127.0.0.1:${port}` };
  return runProgram(process.execPath, ['scripts/release.mjs', ...words], { env });
}

async function stepWell(...words: readonly string[]): Promise<string> {
  const { status, stdout, stderr } = await step(...words);
  expect(status, stderr).toBe(0);
  return stdout;
}

/** All of them, each with its declared dependencies and nothing else. */
const installed = path.join(place, 'installed');

async function installPacked(): Promise<void> {
  for (const { name } of packages) {
    const tarball = `${name.replace('@', '').replace('/', '-')}-${version}.tgz`;
    const to = path.join(installed, 'node_modules', name);
    mkdirSync(to, { recursive: true });
    const unpack = ['-xzf', path.join(release, 'npm', tarball), '--strip-components=1', '-C', to];
    await runWell('tar', unpack);
  }
  for (const { dependencies = {}, peerDependencies = {} } of packages) {
    for (const name of Object.keys({ ...dependencies, ...peerDependencies })) linkForeign(name);
  }
  for (const name of ['@types/node', 'undici-types']) linkForeign(name);
  writeFileSync(path.join(installed, 'package.json'), '{ "type": "module" }');
}

function linkForeign(name: string, project = installed): void {
  const to = path.join(project, 'node_modules', name);
  const from = findInstalled(name);
  // Cypress cannot be installed everywhere.
  if (existsSync(to) || from === undefined) return;
  mkdirSync(path.dirname(to), { recursive: true });
  symlinkSync(from, to);
}

beforeAll(async () => {
  await once(registry.listen(0, '127.0.0.1'), 'listening');
  await stepWell('build', release, '--dry-run');
  await installPacked();
}, 400_000);

it(
  'packs every package, and lists what it would publish, dependencies first',
  { timeout: 240_000 },
  async () => {
    const output = await stepWell('publish-npm', release, '--dry-run');
    const listed = [...output.matchAll(/^release: would publish (\S+) /gm)].map(([, name = '']) => name);
    expect(listed.toSorted()).toEqual(names.toSorted());
    for (const { name, dependencies = {} } of packages) {
      for (const needed of Object.keys(dependencies).filter((other) => names.includes(other))) {
        expect(listed.indexOf(needed), `${needed} before ${name}`).toBeLessThan(listed.indexOf(name));
      }
    }
  },
);

it('names the tag of the Go module, and refuses another version’s', async () => {
  expect(await stepWell('tag-go', '--dry-run')).toBe(`release: would tag clients/go/v${version}\n`);
  expect(await stepWell('tag-go', '--dry-run', '--tag', `v${version}`)).toContain('would tag');
  expect(await step('tag-go', '--dry-run', '--tag', 'v99.0.0')).toMatchObject({ status: 1 });
});

it('is refused before any build for a tag of another version, and without a heading of the changelog', async () => {
  const folder = path.join(place, 'refused');
  expect(await step('build', folder, '--tag', 'v99.0.0')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('v99.0.0') as string,
  });
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  if (!changelog.includes(`\n## ${version}`)) {
    expect(await step('build', folder)).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('CHANGELOG.md') as string,
    });
  }
  expect(existsSync(folder)).toBe(false);
});

it.each(packages)('$name has what it needs and no sources, tests or maps', ({ name }) => {
  const files = readdirSync(path.join(installed, 'node_modules', name), { recursive: true }).map(String);
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json', 'sbom.cdx.json']));
  const strange = files.filter(
    (file) =>
      /(^|\/)(src|tests?|node_modules|bench|\.github)(\/|$)/.test(file) ||
      /\.test\.|(?<!\.d)\.[cm]?tsx?$|\.tgz$|tsconfig|\.log$/.test(file),
  );
  expect(strange).toEqual([]);
});

it.each(packages)('$name has a manifest without anything of its development', ({ name }) => {
  const text = readFileSync(path.join(installed, 'node_modules', name, 'package.json'), 'utf8');
  expect(text).not.toMatch(
    /"(?:devDependencies|workspaces|scripts|overrides|allowScripts|private|mayfly-source)"/,
  );
  expect(JSON.parse(text)).toMatchObject({
    homepage: expect.stringMatching(/^https:/) as string,
    bugs: { url: expect.stringMatching(/^https:/) as string },
    keywords: expect.arrayContaining([expect.any(String)]) as string[],
  });
});

it.each(packages)('the README of $name leads nowhere that is not there', ({ name }) => {
  const folder = path.join(installed, 'node_modules', name);
  const tree = {
    has: (file: string) => existsSync(path.join(folder, file)),
    read: (file: string) => readFileSync(path.join(folder, file), 'utf8'),
  };
  expect(findBrokenLinks('README.md', tree)).toEqual([]);
  const own = tree.read('README.md').matchAll(/mayfly\/(?:blob|raw)\/v[\d.]+\/([^)#"]+)/g);
  for (const [, file = ''] of own) expect(existsSync(file), file).toBe(true);
});

interface Sbom {
  readonly bomFormat: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly { readonly name: string; readonly version: string }[];
}

function readSbom(name: string): Sbom {
  const file = path.join(installed, 'node_modules', name, 'sbom.cdx.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Sbom;
}

it.each(packages)('$name carries its bill of materials', ({ name, dependencies = {} }) => {
  const { bomFormat, metadata, components } = readSbom(name);
  expect([bomFormat, metadata.component.name, metadata.component.version]).toEqual([
    'CycloneDX',
    name,
    version,
  ]);
  const listed = components.map((one) => one.name);
  expect(listed).toEqual(expect.arrayContaining(Object.keys(dependencies)));
  expect(listed).not.toContain(name);
});

it('the service’s bill of materials has what its bundles contain, and no tools', () => {
  const folder = path.join(installed, 'node_modules/mayfly');
  const licenses = readFileSync(path.join(folder, 'dist/third-party-licenses.txt'), 'utf8');
  const listed = readSbom('mayfly').components.map((one) => `${one.name} ${one.version} (`);
  for (const name of ['fastify', 'pino', 'pg', 'jsdom', 'preact', 'better-sqlite3']) {
    expect(listed.filter((one) => one.startsWith(`${name} `))).not.toEqual([]);
  }
  for (const name of ['vitest', 'prettier', 'typescript', 'rolldown']) {
    expect(listed.filter((one) => one.startsWith(`${name} `))).toEqual([]);
  }
  const inBundles = licenses.match(/^\S+ \d+\.\d+\.\d+\S* \(/gm) ?? [];
  expect(inBundles.length).toBeGreaterThan(50);
  expect(inBundles.filter((one) => !listed.includes(one))).toEqual([]);
});

const libraries = packages.flatMap(({ name, exports = {} }) =>
  Object.keys(exports).map((entry) => ({ entry: name + entry.slice(1) })),
);

it('the entries of all packages have types', { timeout: 240_000 }, async () => {
  const lines = libraries.map(
    ({ entry }, at) => `import * as m${at} from '${entry}';\nexport const k${at} = m${at};`,
  );
  // Unless types are missing, this is an error.
  lines.push("import { Mayfly } from 'mayfly-client';\n// @ts-expect-error\nnew Mayfly().createInbox(1);");
  writeFileSync(path.join(installed, 'all.ts'), lines.join('\n'));
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--module', 'NodeNext', '--target', 'ES2023'];
  const libs = ['--lib', 'ES2023,DOM,ESNext.Disposable', '--types', 'node'];
  await runWell(process.execPath, [tsc, ...strict, ...libs, 'all.ts'], { cwd: installed });
});

// Cypress's commands register themselves with the runner that loads them; @jest/globals exists only within Jest, where
// matchers.long.test.ts uses it.
const importable = libraries.filter(({ entry }) => !/cypress|\/vitest$|\/jest$|\/jest-globals$/.test(entry));
it.each(importable)('$entry can be imported', async ({ entry }) => {
  const output = await runInstalled(`console.log(Object.keys(await import('${entry}')).length)`);
  expect(Number(output)).toBeGreaterThan(0);
});

// They export nothing: they add matchers to the runner's `expect`, which is global in Jest.
it.each([
  { runner: 'vitest', found: "const { expect } = await import('vitest'); const added = expect('');" },
  {
    runner: 'jest',
    found: 'const added = {}; globalThis.expect = { extend: (more) => Object.assign(added, more) };',
  },
])("'mayfly-client/$runner' adds its matchers", async ({ runner, found }) => {
  const matchers = ['toPassReport', 'toHaveReceived', 'toMatchMailSnapshot'];
  const kinds = `${JSON.stringify(matchers)}.map((name) => typeof added[name])`;
  const output = await runInstalled(
    `${found} await import('mayfly-client/${runner}'); console.log(${kinds}.join())`,
  );
  expect(output).toBe('function,function,function\n');
});

function runInstalled(script: string): Promise<string> {
  return runWell(process.execPath, ['--input-type=module', '-e', script], { cwd: installed });
}

it('the clients are used from CommonJS, by Node.js and by TypeScript, as their page says', async () => {
  const use = "const { Mayfly } = require('mayfly-client'); console.log(new Mayfly({ url: 'http://x' }).url)";
  expect(await runWell(process.execPath, ['-e', use], { cwd: installed })).toBe('http://x\n');
  writeFileSync(
    path.join(installed, 'common.cts'),
    "import { Mayfly } from 'mayfly-client';\nvoid new Mayfly().url;\n",
  );
  const compile = [tsc, '--strict', '--noEmit', '--skipLibCheck', '--target', 'ES2023', '--types', 'node'];
  const libs = ['--lib', 'ES2023,DOM,ESNext.Disposable', 'common.cts'];
  await runWell(process.execPath, [...compile, '--module', 'NodeNext', ...libs], { cwd: installed });
});

it(
  'the mail reader is used as its README says, with its own packages alone',
  { timeout: 240_000 },
  async () => {
    const project = path.join(place, 'reader');
    const reader = path.join(project, 'node_modules/@mayfly/mail-reader');
    cpSync(path.join(installed, 'node_modules/@mayfly/mail-reader'), reader, { recursive: true });
    const files = readdirSync(reader, { recursive: true });
    expect(files).toEqual(expect.arrayContaining(['dist/html.js', 'dist/html.d.ts']));
    const own = '@mayfly/mail-reader';
    const { dependencies = {}, exports = {} } = packages.find(({ name }) => name === own) ?? {};
    const needed = [...Object.keys(dependencies), '@types/node', 'undici-types'];
    for (const name of needed) linkForeign(name, project);
    const readme = readFileSync(path.join(reader, 'README.md'), 'utf8');
    const example = /```js\n(.*?)```/s.exec(readme)?.[1] ?? '';
    writeFileSync(path.join(project, 'package.json'), '{ "type": "module" }');
    writeFileSync(path.join(project, 'example.js'), example);
    const shown = [...example.matchAll(/\/\/ (.*)$/gm)].map(([, text]) => text);
    expect(shown).toHaveLength(2);
    expect(await runWell(process.execPath, ['example.js'], { cwd: project })).toBe(`${shown.join('\n')}\n`);
    const mistake = '\n// @ts-expect-error Unless types are missing, this is one.\nmessage.subject = 1;\n';
    const entries = Object.keys(exports).map(
      (entry, at) => `import * as m${at} from '${own}${entry.slice(1)}';\n`,
    );
    const uses = entries.map((_, at) => `export const k${at} = m${at};\n`);
    const all = [...entries, example, mistake, ...uses].join('');
    writeFileSync(path.join(project, 'example.ts'), all);
    const strict = ['--strict', '--noEmit', '--module', 'NodeNext', '--target', 'ES2023', '--types', 'node'];
    await runWell(process.execPath, [tsc, ...strict, 'example.ts'], { cwd: project });
  },
);

it('the TypeScript client is installed from a clone as its README says', { timeout: 240_000 }, async () => {
  const readme = readFileSync('clients/typescript/README.md', 'utf8');
  const [, lines = ''] = /^```sh\n(npm run build[^]*?)^```/m.exec(readme) ?? [];
  expect(lines).toContain('/path/to/project');
  const [project, copy] = [path.join(place, 'project'), path.join(place, 'copy')];
  mkdirSync(project);
  await copyRepository(copy);
  const env = { ...process.env, npm_config_offline: 'true', npm_config_audit: 'false' };
  await runWell('sh', ['-euc', lines.replace('/path/to/project', project)], { cwd: copy, env });
  const use = "import { Mayfly } from 'mayfly-client'; console.log(new Mayfly({ url: 'http://x' }).url)";
  expect(await runWell(process.execPath, ['--input-type=module', '-e', use], { cwd: project })).toBe(
    'http://x\n',
  );
});

describe('the Python client', () => {
  const [wheel, source] = [`mayfly_client-${version}-py3-none-any.whl`, `mayfly_client-${version}.tar.gz`];

  it('is built as wheel and as source, which hold the package and no tests', async () => {
    expect(readdirSync(path.join(release, 'python')).sort()).toEqual([wheel, source].sort());
    const listed = await runWell('tar', ['-tzf', path.join(release, 'python', source)]);
    expect(listed).toContain('/src/mayfly_client/py.typed\n');
    expect(listed).not.toMatch(/\/tests?\/|__pycache__/);
    const shown = ['-xzOf', path.join(release, 'python', source), `mayfly_client-${version}/PKG-INFO`];
    const metadata = await runWell('tar', shown);
    // Newer ones are refused by indexes and installers in use.
    expect(metadata).toMatch(/^Metadata-Version: 2\.4\n/);
    expect(metadata).toMatch(/^Keywords: .*pytest/m);
    for (const label of ['Homepage', 'Documentation', 'Issues']) {
      expect(metadata).toMatch(new RegExp(`^Project-URL: ${label}, https:`, 'm'));
    }
    // PyPI shows the page alone.
    expect(metadata).not.toMatch(/\]\((?!https?:|#)/);
  });

  it.each([wheel, source])(
    '%s is installed into an empty environment, where pytest finds its plugin',
    async (file) => {
      const venv = path.join(place, `venv-${file.endsWith('.whl') ? 'wheel' : 'source'}`);
      await runWell(python, ['-m', 'venv', '--without-pip', venv]);
      const own = path.join(venv, 'bin/python');
      const site = await runWell(own, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
      // Its dependencies, and the tools that build it from source, are the tests'.
      const others = await runWell(python, ['-c', 'import sysconfig; print(sysconfig.get_path("purelib"))']);
      writeFileSync(path.join(site.trim(), 'others.pth'), others);
      const pip = ['-m', 'pip', '--python', own, 'install', '--quiet', '--no-index', '--no-deps'];
      await runWell(python, [...pip, '--no-build-isolation', path.join(release, 'python', file)]);
      const use =
        'import mayfly_client; print(mayfly_client.__file__); from mayfly_client import AsyncMayfly, Mayfly';
      expect(await runWell(own, ['-c', use], { cwd: place })).toContain(site.trim());
      const quiet = ['-p', 'no:schemathesis', '-p', 'no:hypothesispytest'];
      expect(await runWell(own, ['-m', 'pytest', ...quiet, '--fixtures'], { cwd: site.trim() })).toMatch(
        /^inbox[^]*^capture|^capture[^]*^inbox/m,
      );
    },
  );
});
