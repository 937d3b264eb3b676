// The operator's page for the operator's listener: static files built from web/admin. Its script calls the admin
// interface with the key that the operator enters.

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';

import type { Answer } from '#http-parts/answer';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Content types by extension. Files of any other, such as compressed copies, are not served. */
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Returns answers by path. `folder`: our own build. @throws Error when it holds no page */
export function loadAdminPage(folder: string): ReadonlyMap<string, Answer> {
  const load = (file: string): Answer => ({
    headers: {
      'content-type': types[extname(file)] ?? '',
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    },
    body: readFileSync(join(folder, file)),
  });
  const page = load('index.html');
  const files = readdirSync(folder).filter((file) => file !== 'index.html' && extname(file) in types);
  return new Map([
    ['/admin', page],
    ['/admin/', page],
    ...files.map((file) => [`/admin/${file}`, load(file)] as const),
  ]);
}
