// The published package: packed, installed into an empty folder as anybody would, and run from there.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it, onTestFinished } from 'vitest';

import { createDataFolder, environment, type MayflyProcess, untilReady } from '../support/mayfly-process.ts';
import { runWell } from '../support/run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

it('npm pack makes a program that installs and runs', { timeout: 600_000 }, async () => {
  const folder = await createDataFolder();
  onTestFinished(folder.remove);
  const place = path.join(folder.path, 'empty');
  await mkdir(place);
  await runWell('npm', ['pack', '--silent', '--pack-destination', folder.path], { cwd: root });
  const [tarball = ''] = (await readdir(folder.path)).filter((name) => name.endsWith('.tgz'));
  await runWell('npm', ['install', '--silent', '--no-audit', '--no-fund', path.join(folder.path, tarball)], {
    cwd: place,
  });
  expect(await runWell('npx', ['--no-install', 'mayfly', 'version'], { cwd: place })).toMatch(/^mayfly \d/);
  const mayfly = await serve(place, path.join(folder.path, 'data'));
  const { email, token } = await mayfly.lend();
  expect(email).toContain('@mayfly.test');
  expect(await mayfly.checkMail(token)).toEqual([]);
  expect((await mayfly.call('/docs')).status).toBe(200);
  expect(await mayfly.stop()).toBe(0);
});

async function serve(place: string, dataDir: string): Promise<MayflyProcess> {
  const program = path.join(place, 'node_modules', '.bin', 'mayfly');
  const env = environment(dataDir, {});
  const child = spawn(program, ['serve'], { env, cwd: place, stdio: ['ignore', 'pipe', 'pipe'] });
  endWithTest(child);
  return untilReady(child);
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => void child.kill('SIGKILL'));
}
