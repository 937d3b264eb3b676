// Builds the service as it was at another commit, for `npm run bench -- --against COMMIT`: in a folder of its own below
// build/, with this clone's packages where the lockfile is the same, and else with its own.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const builds = path.join(root, 'build');
const execute = promisify(execFile);
/** No comparison takes as long. */
const abandonedMs = 6 * 60 * 60 * 1000;

/**
 * @param {string} commit anything that `git rev-parse` takes
 * @returns {Promise<{ readonly name: string, readonly build: string, readonly remove: () => Promise<void> }>} `name`: its
 *   short hash
 * @throws Error when there is no such commit, or it cannot be built
 */
export async function buildCommit(commit) {
  const { stdout } = await execute('git', ['rev-parse', '--short', '--verify', `${commit}^{commit}`], {
    cwd: root,
  });
  const name = stdout.trim();
  await mkdir(builds, { recursive: true });
  await removeAbandoned();
  const folder = await mkdtemp(path.join(builds, `commit-${name}-`));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    console.error(`bench: building ${name}`);
    // Not a worktree, which would be left registered after a kill.
    await execute('sh', ['-c', 'git archive "$1" | tar -x -C "$2"', 'sh', name, folder], { cwd: root });
    await installPackages(folder);
    const script = `import('./scripts/build.mjs').then((all) => all.ensureBuilt()).then((made) => console.log(made))`;
    const built = await execute(process.execPath, ['-e', script], { cwd: folder });
    return { name, build: built.stdout.trim(), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Removes what was left by a kill. */
async function removeAbandoned() {
  const names = (await readdir(builds)).filter((name) => name.startsWith('commit-'));
  for (const folder of names.map((name) => path.join(builds, name))) {
    const { mtimeMs } = await stat(folder);
    if (Date.now() - mtimeMs > abandonedMs) await rm(folder, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function installPackages(folder) {
  const own = await readFile(path.join(root, 'package-lock.json'));
  const other = await readFile(path.join(folder, 'package-lock.json'));
  // Hard links, in which the links to this repository's own packages lead to those of that commit.
  if (own.equals(other)) await execute('cp', ['-al', path.join(root, 'node_modules'), folder]);
  else await execute('npm', ['ci', '--no-audit', '--no-fund'], { cwd: folder });
}
