// The version of this package, as the protocol tells it. Versions of all packages move together.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const version = (require('../package.json') as { readonly version: string }).version;
