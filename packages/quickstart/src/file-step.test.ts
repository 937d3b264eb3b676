import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, it, onTestFinished } from 'vitest';

import { fileStep, folderStep } from './file-step.ts';

async function open(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'mayfly-file-step-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return folder;
}

it('writes a file that is not there, and removes it again', async () => {
  const folder = await open();
  const path = join(folder, 'below', 'a.env');
  const step = fileStep({ path, content: 'A=1\n', mode: 0o600 });
  expect(await step.check()).toBe('it is not there');
  await step.apply();
  expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['A=1\n', 0o600]);
  expect(await fileStep({ path, content: 'A=1\n', mode: 0o600 }).check()).toBe('done');
  await step.undo?.();
  expect(await readdir(join(folder, 'below'))).toEqual([]);
});

it('puts back the file that it replaced, with its mode', async () => {
  const path = join(await open(), 'a.env');
  await writeFile(path, 'old');
  await chmod(path, 0o640);
  const step = fileStep({ path, content: 'new', mode: 0o600 });
  expect(await step.check()).toBe('its content differs');
  await step.apply();
  await step.undo?.();
  expect([await readFile(path, 'utf8'), (await stat(path)).mode & 0o777]).toEqual(['old', 0o640]);
  expect(await fileStep({ path, content: 'old', mode: 0o600 }).check()).toBe('its mode differs');
});

it('gives a folder back the mode that it had', async () => {
  const path = await open();
  await chmod(path, 0o755);
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const step = folderStep(path, () => Promise.resolve({ mode: 0o700, uid, gid }));
  expect(await step.check()).toBe('its owner or mode differs');
  await step.apply();
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await step.undo?.();
  expect((await stat(path)).mode & 0o777).toBe(0o755);
});

it('makes a folder, and leaves one that has been filled meanwhile', async () => {
  const path = join(await open(), 'data');
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const step = folderStep(path, () => Promise.resolve({ mode: 0o700, uid, gid }));
  expect(await step.check()).toBe('it is not there');
  await step.apply();
  expect((await stat(path)).mode & 0o777).toBe(0o700);
  await writeFile(join(path, 'mail'), '');
  await step.undo?.();
  expect(await readdir(path)).toEqual(['mail']);
  await rm(join(path, 'mail'));
  await step.undo?.();
  expect(await step.check()).toBe('it is not there');
});

it('removes a folder in which a service that failed left nothing but its lock', async () => {
  const path = join(await open(), 'data');
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const step = folderStep(path, () => Promise.resolve({ mode: 0o700, uid, gid }));
  await step.check();
  await step.apply();
  await writeFile(join(path, 'mayfly.lock'), '');
  await step.undo?.();
  expect(await step.check()).toBe('it is not there');
});
