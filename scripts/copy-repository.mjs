// Copies the repository to a folder below build/, for scripts that change sources. It is removed when the process ends;
// the checkout itself is never changed.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';

/**
 * Returns the folder of the copy.
 * @param {string} root
 * @param {string} name of what it is for
 */
export function copyRepository(root, name) {
  const copy = path.join(root, 'build', `${name}-${process.pid}`);
  process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
  mkdirSync(copy, { recursive: true });
  // Hard links: in a link to the folder, its links to packages of this repository would lead back into the checkout.
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), copy]);
  rmSync(path.join(copy, 'node_modules', '.vite'), { recursive: true, force: true });
  // A file that was deleted is listed until that is staged.
  for (const file of listFiles(root).filter((one) => existsSync(path.join(root, one)))) {
    mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(copy, file), { verbatimSymlinks: true });
  }
  return copy;
}

/** @param {string} root */
function listFiles(root) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return listed.split('\0').filter((file) => file !== '');
}
