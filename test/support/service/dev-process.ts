// `mayfly dev` as a separate process, with its own folder for temporary files.

import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { inject, onTestFinished } from 'vitest';

import { type MayflyProcess, untilReady } from './mayfly-process.ts';

export interface DevOptions {
  readonly words?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The parent of its temporary folder. */
  readonly temp?: string;
}

/** The base path of Mayfly's own interface and page; the dialects have the root. */
const devBasePath = '/mayfly';

/** Removed when the test has finished. */
export function newTemp(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'mayfly-temp-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Returns the folders in which it stores mail. */
export function devFolders(temp: string): string[] {
  return readdirSync(temp).filter((name) => name.startsWith('mayfly-dev-'));
}

export function devEnvironment({ environment = {}, temp = newTemp() }: DevOptions): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], TMPDIR: temp, ...environment };
}

export function rootOf(mayfly: MayflyProcess): string {
  return new URL(mayfly.origin).origin;
}

/** Returns the token for mail without credentials, from the link on the front page. */
export async function sharedToken(mayfly: MayflyProcess): Promise<string> {
  const home = await (await fetch(`${rootOf(mayfly)}/`)).text();
  const [, token] = /url=\/mayfly\/#share=(mf_[\w-]{43})"/.exec(home) ?? [];
  if (token === undefined) throw new Error(`No link to the page: ${home}`);
  return token;
}

/** Starts on free ports unless `words` names others; ended with the test. */
export async function startDev(options: DevOptions = {}): Promise<MayflyProcess> {
  const mayfly = await spawnDev({ temp: newTemp(), ...options });
  onTestFinished(async () => {
    await mayfly.stop('SIGKILL');
  });
  return mayfly;
}

/** Like startDev, for a whole test file, which ends it. */
export function spawnDev(options: DevOptions & { readonly temp: string }): Promise<MayflyProcess> {
  const { words = ['--smtp-port', '0', '--http-port', '0'] } = options;
  const main = path.join(inject('buildDir'), 'main.js');
  const child = spawn(process.execPath, [main, 'dev', ...words], {
    env: devEnvironment(options),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return untilReady(child, devBasePath);
}
