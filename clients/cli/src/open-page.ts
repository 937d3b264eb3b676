// Opens an inbox's page in the platform's browser. The token is in the fragment, which is sent to no server. Every user
// of the machine can read command lines, so those of the opener and the browser name only a private file that redirects
// to the page.

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

/** An opener still running after this counts as successful. */
const patienceMs = 5000;
const fileName = 'open.html';

export function pageAddress(url: string, token: string): string {
  return `${url}/#share=${token}`;
}

/** Returns false if no browser was started. */
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

/** Removes the file, so that no address of an ended inbox is left behind. */
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
