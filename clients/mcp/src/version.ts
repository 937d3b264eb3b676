// This package's version, for the protocol. All packages share one version.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const version = (require('../package.json') as { readonly version: string }).version;
