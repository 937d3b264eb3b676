// The published program as a user has it: packed, installed from the tarball alone into an empty folder by the newest
// npm on its own Node.js, which runs no scripts of packages, and used.

import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';

import { refuseNode } from '../../bin/node-range.mjs';
import { findBrokenLinks } from '../../scripts/broken-links.mjs';
import { newNode, newPath, npm } from '../support/deploy/published-tools.ts';
import { useDataFolder } from '../support/service/mayfly-fixture.ts';
import { environment, type MayflyProcess, untilReady } from '../support/service/mayfly-process.ts';
import { runProgram, runWell } from '../support/servers/run-program.ts';
import { greet, sendMail } from '../support/smtp/smtp-client.ts';

/** The Kelvin sign: DOMPurify takes it for a k, our own DOM's proof does not, and leaves it to jsdom. */
const doubtfulMail =
  'From: a@client.test\r\nSubject: Doubt\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<mar\u212a>x</mar\u212a>\r\n';
/** In a charset whose table both threads read from a file. */
const chineseMail =
  'From: a@client.test\r\nSubject: =?gbk?b?xOO6ww==?=\r\nContent-Type: text/plain; charset=gbk\r\n' +
  'Content-Transfer-Encoding: base64\r\n\r\nxOO6ww==\r\n';

let place = '';
let tarball = '';
const program = (): string => path.join(place, 'empty/node_modules/.bin/mayfly');

beforeAll(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'mayfly-packed-'));
  await runWell('npm', ['pack', '--silent', '--pack-destination', place]);
  tarball = path.join(place, (await readdir(place)).find((name) => name.endsWith('.tgz')) ?? '');
  await mkdir(path.join(place, 'empty'));
  await npm(['install', tarball], { cwd: path.join(place, 'empty') });
});
afterAll(() => rm(place, { recursive: true }));

interface Manifest {
  readonly engines: { readonly node: string };
  readonly dependencies: Readonly<Record<string, string>>;
}

it('has a manifest of its own, which names what an installation needs and nothing of a clone', async () => {
  const text = await runWell('tar', ['-xzOf', tarball, 'package/package.json']);
  const manifest = JSON.parse(text) as Manifest;
  expect(Object.keys(manifest).sort()).toEqual([
    'author',
    'bin',
    'bugs',
    'dependencies',
    'description',
    'engines',
    'homepage',
    'keywords',
    'license',
    'name',
    'repository',
    'type',
    'version',
  ]);
  expect(manifest.dependencies).toEqual({ 'better-sqlite3': '13.2.0' });
  expect(manifest.engines.node).toBe('>=22.22 <23 || >=24.13');
});

it('installs the driver, whose binding is in its package, and nothing else', async () => {
  const modules = await readdir(path.join(place, 'empty/node_modules'));
  expect(modules.filter((name) => !name.startsWith('.')).sort()).toEqual([
    'better-sqlite3',
    'mayfly',
    'node-addon-api',
  ]);
});

it('takes mail and shows it', async () => {
  const folder = await useDataFolder();
  expect(await runWell(program(), ['version'], { env: newPath })).toMatch(/^mayfly \d/);
  const mayfly = await serve(folder);
  const { email, token } = await mayfly.lend();
  expect(email).toContain('@mayfly.test');
  expect(await mayfly.checkMail(token)).toEqual([]);
  expect((await mayfly.call('/docs')).status).toBe(200);
  const smtp = await greet(mayfly.smtpPort);
  expect(await sendMail(smtp, doubtfulMail, email)).toMatch(/^250 /);
  // In separate threads, jsdom included: their packages are bundled too.
  expect(await mayfly.readMail(token, 1)).toMatchObject({ html: '<mar\u212a>x</mar\u212a>\n', parse: 'ok' });
  expect(await sendMail(smtp, chineseMail, email)).toMatch(/^250 /);
  const [newest] = await mayfly.checkMail(token);
  expect(await mayfly.readMail(token, newest?.id ?? 0)).toMatchObject({
    subject: '\u4f60\u597d',
    text: '\u4f60\u597d',
  });
  expect(await mayfly.stop()).toBe(0);
});

function serve(dataDir: string): Promise<MayflyProcess> {
  const env = { ...environment(dataDir, {}), PATH: newPath['PATH'] };
  const child = spawn(program(), ['serve'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return untilReady(child);
}

it('is completed in its own folder too, after unpacking', async () => {
  const unpacked = path.join(place, 'package');
  await runWell('tar', ['-xzf', tarball, '-C', place]);
  await npm(['install', '--omit=dev'], { cwd: unpacked });
  const version = await runWell(newNode, [path.join(unpacked, 'bin/mayfly.mjs'), 'domain', '--help']);
  expect(version).toContain('mayfly domain');
});

it('asks for the Node.js of its own manifest, whatever runs a clone', async () => {
  const folder = path.join(place, 'empty/node_modules/mayfly');
  const { engines } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const refusal = refuseNode(process.versions.node, engines.node);
  const run = await runProgram(process.execPath, [path.join(folder, 'bin/mayfly.mjs'), 'version']);
  expect(run.stderr).toBe(refusal === '' ? '' : `mayfly: ${refusal}\n`);
  expect(refuseNode('20.20.2', engines.node)).toContain('install 22.22 or later of 22, or 24.13 or later');
});

it('has no link that leads nowhere in any of its pages', async () => {
  const folder = path.join(place, 'empty/node_modules/mayfly');
  const files = await readdir(folder, { recursive: true });
  const tree = new Map<string, string>();
  for (const name of files) {
    tree.set(name, name.endsWith('.md') ? await readFile(path.join(folder, name), 'utf8') : '');
  }
  const pages = files.filter((name) => name.endsWith('.md'));
  expect(pages.length).toBeGreaterThan(20);
  const broken = pages.flatMap((page) =>
    findBrokenLinks(page, {
      has: (file) => tree.has(file) || file === '.',
      read: (file) => tree.get(file) ?? '',
    }),
  );
  expect(broken).toEqual([]);
});
