// The operator's page for the operator's listener: static files built from web/admin. Its script calls the admin
// interface with the key that the operator enters.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Answer } from '../answer.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/** Returns answers by path. `folder`: our own build. @throws Error when it holds no page */
export function loadAdminPage(folder: string): ReadonlyMap<string, Answer> {
  const asset = (file: string, type: string): Answer => ({
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'content-security-policy': policy,
      'cache-control': 'no-cache',
    },
    body: readFileSync(join(folder, file)),
  });
  const page = asset('index.html', 'text/html');
  return new Map([
    ['/admin', page],
    ['/admin/', page],
    ['/admin/style.css', asset('style.css', 'text/css')],
    ['/admin/script.js', asset('script.js', 'text/javascript')],
  ]);
}
