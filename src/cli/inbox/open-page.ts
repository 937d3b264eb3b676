// Opens an inbox's page in the browser of the platform. The token is in the fragment, which goes to no server. What the
// opener and the browser get on their command lines, which every user of the machine can read, is the name of a private
// file that leads there.

import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

import { writePrivately } from './inbox-file.ts';

export interface PageOptions {
  readonly address: string;
  /** A private folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Openers that have not ended by then are believed. */
const patienceMs = 5000;
const fileName = 'open.html';

export function pageAddress(url: string, token: string): string {
  return `${url}/#share=${token}`;
}

/** False where no browser was started. */
export async function openPage({ address, folder, environment }: PageOptions): Promise<boolean> {
  const [program, ...words] = openerOf(process.platform, environment) ?? [];
  if (program === undefined) return false;
  const file = path.join(folder, fileName);
  await writePrivately(file, pageThatLeadsTo(address));
  const opener = spawn(program, [...words, pathToFileURL(file).href], { stdio: 'ignore', detached: true });
  const ended = new Promise<boolean>((resolve) => {
    opener.once('error', () => {
      resolve(false);
    });
    opener.once('exit', (status) => {
      resolve(status === 0);
    });
  });
  const patience = new AbortController();
  const isOpened = await Promise.race([ended, delay(patienceMs, true, { signal: patience.signal })]);
  patience.abort();
  opener.unref();
  return isOpened;
}

/** So that no address of an ended inbox is left behind. */
export async function forgetPage(folder: string): Promise<void> {
  await rm(path.join(folder, fileName), { force: true });
}

function openerOf(
  platform: NodeJS.Platform,
  environment: PageOptions['environment'],
): readonly string[] | undefined {
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  const places = [environment['DISPLAY'], environment['WAYLAND_DISPLAY'], environment['BROWSER']];
  return places.some((place = '') => place !== '') ? ['xdg-open'] : undefined;
}

function pageThatLeadsTo(address: string): string {
  const escaped = address.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
  return `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Mayfly</title>
<meta http-equiv="refresh" content="0; url=${escaped}"><p><a href="${escaped}">Open the inbox</a></p></html>
`;
}
