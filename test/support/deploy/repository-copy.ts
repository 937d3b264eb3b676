// A copy of this repository to work in: what git would commit, with links to the installed packages. The repository's own
// packages are the copy's.

import { cpSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { runWell } from '../servers/run-program.ts';

const root = path.resolve('.');

/** @param replaced folders of packages that stand in for the installed ones, by name */
export async function copyRepository(
  copy: string,
  replaced: Readonly<Record<string, string>> = {},
): Promise<void> {
  mkdirSync(copy);
  const listed =
    'git ls-files -z --cached --others --exclude-standard | tar --null --ignore-failed-read -cT - ';
  await runWell('sh', ['-c', `${listed} | tar -xC "$1"`, 'sh', copy], { cwd: root });
  linkPackages(copy, 'node_modules', replaced);
}

function linkPackages(copy: string, folder: string, replaced: Readonly<Record<string, string>>): void {
  mkdirSync(path.join(copy, folder));
  for (const name of readdirSync(path.join(root, folder))) {
    const [from, to] = [path.join(root, folder, name), path.join(copy, folder, name)];
    if (name === '@mayfly') linkPackages(copy, path.join(folder, name), {});
    // Caches, of vite among others, are each tree's own.
    else if (name.startsWith('.') && name !== '.bin') continue;
    else if (lstatSync(from).isSymbolicLink()) cpSync(from, to, { verbatimSymlinks: true });
    else symlinkSync(replaced[name] ?? from, to);
  }
}
