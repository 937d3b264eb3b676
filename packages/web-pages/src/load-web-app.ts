// Reads the built page into memory once at the start. Nothing in a request ever becomes a file system path. The folder
// is our own build and trusted.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative, sep } from 'node:path';

import {
  hashedFileHeaders,
  type InlineHashes,
  lastingFileHeaders,
  pageHeaders,
  serviceWorkerHeaders,
} from './page-headers.ts';
import type { WebFile } from '../../http-parts/src/static-file.ts';

export interface WebApp {
  /** Served at the base path itself. */
  readonly page: WebFile;
  /** Files by path below the base path, beginning with a slash. */
  readonly files: ReadonlyMap<string, WebFile>;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** `publicUrl`: an origin, or ''. @throws Error when the folder is no build of the page */
export function loadWebApp(folder: string, publicUrl: string): WebApp {
  const files = new Map(listFiles(folder).map((file) => [`/${file}`, readFile(folder, file)]));
  const index = files.get('/index.html');
  if (!index) throw new Error(`${folder} contains no page`);
  files.delete('/index.html');
  const headers = pageHeaders(publicUrl, hashInline(index.bodies.identity.toString()));
  const asPage = (file: WebFile): WebFile => ({ ...file, headers: { ...file.headers, ...headers } });
  const plain = files.get('/plain.html');
  if (plain) files.set('/plain.html', asPage(plain));
  return { page: asPage(index), files };
}

/** Hashes the script and the style that the page itself contains, in the form for its policy. */
function hashInline(page: string): InlineHashes {
  const hashOf = (element: string): string => {
    const text = new RegExp(`<${element}>(.*?)</${element}>`, 's').exec(page)?.[1];
    if (text === undefined) throw new Error(`The page has no ${element} of its own`);
    return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  };
  return { script: hashOf('script'), style: hashOf('style') };
}

/**
 * Lists the files served: without hidden ones, compressed copies and the operator's page, which is for another
 * listener.
 */
function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter(
      (file) =>
        contentTypes[extname(file)] !== undefined && !file.startsWith('.') && !file.startsWith('admin/'),
    );
}

function readFile(folder: string, file: string): WebFile {
  const identity = readFileSync(join(folder, file));
  return {
    headers: { 'content-type': contentTypes[extname(file)] ?? '', ...headersOf(file) },
    hash: createHash('sha256').update(identity).digest('base64url').slice(0, 22),
    bodies: {
      identity,
      ...readCopy(join(folder, `${file}.br`), 'br'),
      ...readCopy(join(folder, `${file}.gz`), 'gzip'),
    },
  };
}

function readCopy(file: string, coding: 'br' | 'gzip'): Partial<WebFile['bodies']> {
  return existsSync(file) ? { [coding]: readFileSync(file) } : {};
}

function headersOf(file: string): Readonly<Record<string, string>> {
  if (file === 'service-worker.js') return serviceWorkerHeaders;
  return file.startsWith('assets/') ? hashedFileHeaders : lastingFileHeaders;
}
