// Runs a TypeScript program of this folder or of ../train: bundles it first, since not every Node.js that the package
// supports runs TypeScript.
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * @param {string} entry path of the program
 * @param {string} name of its bundle
 * @returns {Promise<unknown>} its module
 */
export async function runProgram(entry, name = path.basename(entry, '.ts')) {
  const folder = path.join(root, 'build', 'mail-reader-programs');
  await mkdir(folder, { recursive: true });
  const build = await rolldown({
    input: entry,
    cwd: root,
    platform: 'node',
    tsconfig: false,
    plugins: [
      {
        name: 'keep-places',
        transform: {
          filter: { code: 'import.meta.url' },
          handler: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
        },
      },
    ],
  });
  const file = path.join(folder, `${name}.mjs`);
  await build.write({ file, format: 'esm' });
  await build.close();
  return import(pathToFileURL(file).href);
}
