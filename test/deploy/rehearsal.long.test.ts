// A whole release against registries of this machine, by the steps of the workflow: names claimed, a release that fails
// half-way, the same release again, and what it published installed and used.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { installPackages } from '../../scripts/install-packages.mjs';
import { publishedPackages } from '../../scripts/release/published-manifest.mjs';
import { python } from '../support/clients/client-folders.ts';
import { newPath, npm, publishedModules } from '../support/deploy/published-tools.ts';
import { copyRepository } from '../support/deploy/repository-copy.ts';
import { eventually } from '../support/eventually.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { environment, untilReady } from '../support/service/mayfly-process.ts';
import { freePort } from '../support/servers/free-port.ts';
import { type Finished, runProgram, runWell } from '../support/servers/run-program.ts';

const place = mkdtempSync(path.join(tmpdir(), 'mayfly-rehearsal-'));
const copy = path.join(place, 'copy');
const release = path.join(place, 'release');
const venv = 'node_modules/.test-registries/python';
const packages = publishedPackages(path.resolve('.'));
const { version = '' } = packages[0]?.manifest ?? {};
const started: ChildProcess[] = [];

/** Stands before the npm registry and refuses a publication when it is to. */
let gate: Server;
let published = 0;
let refusedAt = Infinity;
let registry = '';
let index = '';

function start(program: string, args: readonly string[]): void {
  started.push(spawn(program, args, { stdio: 'ignore' }));
}

async function startNpmRegistry(): Promise<void> {
  await installPackages('test/registries', 'node_modules/.test-registries');
  const port = await freePort();
  const config = path.join(place, 'verdaccio.yaml');
  const rights = '{ access: $all, publish: $all }';
  writeFileSync(
    config,
    `storage: ${place}/npm-storage\nmax_body_size: 100mb\npackages:\n  '@*/*': ${rights}\n  '**': ${rights}\n` +
      `auth: { htpasswd: { file: ${place}/htpasswd } }\nlog: { type: stdout, level: warn }\n`,
  );
  const program = path.resolve('node_modules/.test-registries/node_modules/verdaccio/bin/verdaccio');
  start(process.execPath, [program, '--config', config, '--listen', `127.0.0.1:${port}`]);
  gate = createServer((incoming, outgoing) => {
    if (incoming.method === 'PUT' && (published += 1) >= refusedAt) {
      incoming.resume();
      outgoing.writeHead(403, { 'content-type': 'application/json' }).end('{"error":"not now"}');
      return;
    }
    const { method, headers, url } = incoming;
    const passed = request({ host: '127.0.0.1', port, method, headers, path: url }, (answer) => {
      answer.pipe(outgoing.writeHead(answer.statusCode ?? 500, answer.headers));
    });
    passed.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(passed);
  }).listen(0, '127.0.0.1');
  await once(gate, 'listening');
  registry = `http://127.0.0.1:${(gate.address() as AddressInfo).port}/`;
}

async function startPythonIndex(): Promise<void> {
  await runWell('python3', ['-m', 'venv', venv]);
  await runWell(`${venv}/bin/pip`, [
    'install',
    '--quiet',
    '--requirement',
    'test/registries/requirements.txt',
  ]);
  const port = await freePort();
  mkdirSync(path.join(place, 'pypi'));
  const open = ['--authenticate', '.', '--passwords', '.'];
  start(`${venv}/bin/pypi-server`, [
    'run',
    '-i',
    '127.0.0.1',
    '-p',
    String(port),
    ...open,
    path.join(place, 'pypi'),
  ]);
  index = `http://127.0.0.1:${port}/`;
}

beforeAll(async () => {
  await Promise.all([startNpmRegistry(), startPythonIndex()]);
  for (const url of [`${registry}-/ping`, index]) {
    const isThere = (): Promise<true | undefined> =>
      fetch(url).then(
        ({ ok }) => ok || undefined,
        () => undefined,
      );
    await eventually(isThere, `${url} answers`);
  }
  await copyRepository(copy);
  await runWell('git', ['init', '--quiet', '--bare', path.join(place, 'origin')]);
  const who = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@example.org'];
  await runWell('git', ['init', '--quiet'], { cwd: copy });
  await runWell('git', ['add', '--all'], { cwd: copy });
  await runWell('git', [...who, 'commit', '--quiet', '--message', 'Rehearsal'], { cwd: copy });
  await runWell('git', ['remote', 'add', 'origin', path.join(place, 'origin')], { cwd: copy });
}, 600_000);

afterAll(() => {
  for (const child of started) child.kill();
  gate.close();
  rmSync(place, { recursive: true });
});

function settings(): NodeJS.ProcessEnv {
  return {
    ...newPath,
    PYTHON: python,
    npm_config_registry: registry,
    [`npm_config_${registry.slice('http:'.length)}:${['_auth', 'Token'].join('')}`]: 'anybody',
    npm_config_cache: path.join(place, 'npm-cache'),
    npm_config_fetch_retries: '0',
  };
}

function step(...words: readonly string[]): Promise<Finished> {
  return runProgram('node', ['scripts/release.mjs', ...words], { cwd: copy, env: settings() });
}

const lines = ({ stdout }: Finished): string[] => stdout.trim().split('\n');

it('claims the names of all packages, once', async () => {
  const first = await step('claim-npm');
  expect(first).toMatchObject({ status: 0, stderr: '' });
  expect(lines(first)).toEqual(packages.map(({ manifest }) => `release: claimed ${manifest.name}`));
  expect(lines(await step('claim-npm'))).toEqual(
    packages.map(({ manifest }) => `release: ${manifest.name} is on npm already`),
  );
});

it('builds what is published', async () => {
  expect(await step('build', release, '--dry-run')).toMatchObject({ status: 0 });
});

it('resumes on npm where it failed', async () => {
  const [label, there] = [
    packages.map(({ manifest }) => `release: published ${manifest.name} ${version} to npm`),
    packages.map(({ manifest }) => `release: ${manifest.name} ${version} is on npm already`),
  ];
  refusedAt = published + 3;
  const failed = await step('publish-npm', release);
  expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('403') as string });
  expect(lines(failed)).toEqual(label.slice(0, 2));
  refusedAt = Infinity;
  expect(lines(await step('publish-npm', release))).toEqual([...there.slice(0, 2), ...label.slice(2)]);
  expect(lines(await step('publish-npm', release))).toEqual(there);
});

it('tags the Go module once, and refuses to move the tag', async () => {
  const tag = `clients/go/v${version}`;
  expect(lines(await step('tag-go'))).toEqual([`release: tagged ${tag}`]);
  expect(lines(await step('tag-go'))).toEqual([`release: ${tag} is there already`]);
  const who = ['-c', 'user.name=Rehearsal', '-c', 'user.email=rehearsal@example.org'];
  await runWell('git', [...who, 'commit', '--quiet', '--allow-empty', '--message', 'Another'], { cwd: copy });
  expect(await step('tag-go')).toMatchObject({ status: 1, stderr: expect.stringContaining(tag) as string });
});

it('uploads to the Python index what it lacks', async () => {
  const files = readdirSync(path.join(release, 'python')).map((name) => path.join(release, 'python', name));
  expect(files).toHaveLength(2);
  const twine = (...words: readonly string[]): Promise<Finished> =>
    runProgram(`${venv}/bin/python`, ['-m', 'twine', ...words]);
  expect(await twine('check', '--strict', ...files)).toMatchObject({ status: 0 });
  const upload = ['upload', '--repository-url', index, '--username', 'anybody', '--password', 'any'];
  expect(await twine(...upload, files[0] ?? '')).toMatchObject({ status: 0 });
  // As the action does with skip-existing, which twine itself offers for pypi.org alone.
  const listed = await (await fetch(`${index}simple/mayfly-client/`)).text();
  const missing = files.filter((file) => !listed.includes(path.basename(file)));
  expect(missing).toEqual([files[1]]);
  expect(await twine(...upload, ...missing)).toMatchObject({ status: 0 });
  expect(readdirSync(path.join(place, 'pypi')).sort()).toEqual(
    files.map((file) => path.basename(file)).sort(),
  );
});

it('can then be installed from the registries, and used', async () => {
  const env = settings();
  for (const name of ['node-addon-api', 'better-sqlite3']) {
    await runWell('npm', ['publish', '--ignore-scripts', path.join(publishedModules, name)], { env });
  }
  const folder = path.join(place, 'user');
  mkdirSync(folder);
  await npm(['install', 'mayfly', 'mayfly-client'], { cwd: folder, env });
  const child = spawn(path.join(folder, 'node_modules/.bin/mayfly'), ['serve'], {
    env: { ...environment(await useDataFolder(), {}), PATH: newPath['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const mayfly = await untilReady(child);
  const where = ['--http', mayfly.origin, '--smtp', `127.0.0.1:${mayfly.smtpPort}`];
  expect(await runWell(process.execPath, ['scripts/smoke-test.mjs', ...where])).toContain('a mail came in');
  const script =
    'import { Mayfly } from "mayfly-client"; const inbox = await new Mayfly().createInbox(); console.log(inbox.email);';
  const client = { ...newPath, MAYFLY_URL: mayfly.origin };
  expect(
    await runWell('node', ['--input-type=module', '--eval', script], { cwd: folder, env: client }),
  ).toContain('@mayfly.test');
  const target = path.join(place, 'site');
  const pip = ['install', '--quiet', '--no-deps', '--target', target, '--index-url', `${index}simple/`];
  await runWell(`${venv}/bin/pip`, [...pip, `mayfly-client==${version}`]);
  const use = 'from mayfly_client import Mayfly\nwith Mayfly().create_inbox() as inbox: print(inbox.email)';
  const found = { ...client, PYTHONPATH: target };
  expect(await runWell(python, ['-c', use], { env: found })).toContain('@mayfly.test');
});
