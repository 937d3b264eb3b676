// Locates libfaketime: preloaded, it gives one process another clock.

import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Debian's path, on any architecture. */
export function findFaketime(): string {
  for (const folder of readdirSync('/usr/lib')) {
    const file = path.join('/usr/lib', folder, 'faketime');
    if (/-linux-gnu/.test(folder) && readdirSync(path.join('/usr/lib', folder)).includes('faketime')) {
      return path.join(file, 'libfaketimeMT.so.1');
    }
  }
  throw new Error('libfaketime is not installed: npm run test:setup');
}
