// The driver for code outside this package.

import { Database } from './driver.mjs';

export { Database };
