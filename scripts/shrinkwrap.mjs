// Puts the lockfile into the published package, under the name by which npm heeds it there: whoever installs Mayfly
// gets the versions that were tested. `npm pack` calls it before (`make`) and after (`remove`).
import { copyFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const shrinkwrap = fileURLToPath(new URL('npm-shrinkwrap.json', root));

if (process.argv[2] === 'remove') await rm(shrinkwrap, { force: true });
else await copyFile(fileURLToPath(new URL('package-lock.json', root)), shrinkwrap);
